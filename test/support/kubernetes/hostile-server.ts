import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createAuthority, issueForServer } from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { connectionsOf, listenLocally, stopListening } from '../doubles/local-server.ts';

export interface HostileServer {
  url: string;
  ca: string;
  /** How many connections are open. */
  connections(): number;
  close(): Promise<void>;
}

/** An API server with a valid certificate for 127.0.0.1 whose responses the test chooses. */
export async function hostileServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<HostileServer> {
  const authority = await createAuthority('hostile');
  const { certificate, key } = await issueForServer(authority, { name: 'kube-apiserver' }, ['127.0.0.1']);
  const server = createServer({ cert: certificate, key }, answer);
  return {
    url: `https://127.0.0.1:${await listenLocally(server)}`,
    ca: authority.certificate,
    connections: () => connectionsOf(server).size,
    close: () => stopListening(server),
  };
}
