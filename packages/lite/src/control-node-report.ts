import type { PodStatusObject } from './kubernetes/index.ts';

/** The path for reports of control nodes, below the public URL of the api. */
export const CONTROL_NODE_CALLBACK_PATH = '/api/lite/callback';
/** The path for the stages of their work. */
export const CONTROL_NODE_PROGRESS_PATH = `${CONTROL_NODE_CALLBACK_PATH}/progress`;

/** What a control node does at the moment, with the field names of the callback. */
export interface ControlNodeProgress {
  stage: string;
  /** The plugin that the stage is about. */
  plugin?: string;
}

/** The path for renewed configuration files of control nodes, below the public URL of the api. */
export const KUBECONFIG_CALLBACK_PATH = '/api/lite/callback/kubeconfig';

/** The path for failures of agents, below the public URL of the api. */
export const AGENT_FAILURE_PATH = `${CONTROL_NODE_CALLBACK_PATH}/agent`;

/**
 * A report of a control node, with the field names of the callback. Every report of a success
 * contains the optional fields.
 */
export interface ControlNodeReport {
  success: boolean;
  kubeconfig?: string;
  node_token?: string;
  server_ip?: string;
  k3s_version?: string;
  plugin_status?: Record<string, 'deployed' | 'failed'>;
  /** The pods of plugins that were applied and did not become available in time. */
  plugin_pods?: Record<string, PodStatusObject[]>;
  error?: string | null;
}
