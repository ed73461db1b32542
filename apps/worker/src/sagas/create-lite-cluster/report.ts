/** What a control node reports, apart from its token. The fields of a successful report are present in it. */
export interface NodeReport {
  success: boolean;
  kubeconfig?: string;
  node_token?: string;
  server_ip?: string;
  k3s_version?: string;
  plugin_status?: Record<string, 'deployed' | 'failed'>;
  error?: string | null;
}
