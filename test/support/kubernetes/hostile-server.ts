import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthority, issueForServer } from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';

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
  const sockets = new Set<Socket>();
  const server = createServer({ cert: certificate, key }, answer);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: authority.certificate,
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
