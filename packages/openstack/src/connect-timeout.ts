import type { Agent } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export const CONNECT_TIMEOUT_CODE = 'ECONNECTTIMEOUT';

interface ConnectLimit {
  timeoutMs: number;
  /** The agent connects through a tunnel of a proxy. */
  tunnels: boolean;
}

/**
 * Lets the agent's connections fail with `ECONNECTTIMEOUT` if they are not ready in time: connected, with the
 * tunnel and the TLS handshake, but without the lookup of the host's name. Timeouts of got would cost each
 * request something, even on a connection that is reused, and while there is no tunnel, none of them ends a
 * request.
 */
export function limitConnecting<A extends Agent>(agent: A, { timeoutMs, tunnels }: ConnectLimit): A {
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => clearTimeout(timer);
    // Called once the tunnel is ready. Node returns its connection to the proxy before.
    const socket = createConnection(options, (error, tunnel) => {
      stop();
      callback?.(error, tunnel);
    });
    if (!(socket instanceof Socket)) return socket;
    // Emitted once the address is known.
    socket.once('connectionAttempt', () => {
      timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error('The connection timed out.'), { code: CONNECT_TIMEOUT_CODE }));
      }, timeoutMs);
    });
    if (!tunnels) socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', stop);
    socket.once('close', stop);
    return socket;
  };
  return agent;
}
