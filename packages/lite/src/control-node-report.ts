/** Where control nodes report to, below the public address of the api. */
export const CONTROL_NODE_CALLBACK_PATH = '/api/lite/callback';

/** What a control node reports, in the field names of the callback. The fields of a successful report are present in it. */
export interface ControlNodeReport {
  success: boolean;
  kubeconfig?: string;
  node_token?: string;
  server_ip?: string;
  k3s_version?: string;
  plugin_status?: Record<string, 'deployed' | 'failed'>;
  error?: string | null;
}
