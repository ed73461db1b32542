import type { ClientCertificate } from '@gateway/lite';

/** A cluster with a control node and two agents, real or simulated, in which a test can break parts. */
export interface TestCluster {
  /** `https://127.0.0.1:26443` */
  server: string;
  admin: ClientCertificate;
  /** The bearer token of a user who may do nothing. */
  tokenWithoutRights: string;
  /** The control node first. */
  nodes: readonly [string, string, string];
  setReady(node: string, isReady: boolean): Promise<void>;
  /** Refuses connections. */
  kill(): Promise<void>;
  /** Accepts connections, then hangs. */
  pause(): Promise<void>;
  /** The server loses its store. */
  pauseStore(): Promise<void>;
  /** Undoes the three. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export const NODES = ['vm-server', 'vm-agent-1', 'vm-agent-2'] as const;
