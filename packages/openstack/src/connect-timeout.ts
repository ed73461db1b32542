import type { Agent } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export const CONNECT_TIMEOUT_CODE = 'ECONNECTTIMEOUT';

/**
 * Lets the agent's connections fail with `ECONNECTTIMEOUT` if they are not ready in time, including the TLS
 * handshake, but not the lookup of the host's name. Timeouts of got cost each request something, even on a
 * connection that is reused. For a tunnel through a proxy, only the timeout of the request applies.
 */
export function limitConnecting<A extends Agent>(agent: A, timeoutMs: number): A {
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = createConnection(options, callback);
    if (!(socket instanceof Socket)) return socket;
    let timer: NodeJS.Timeout | undefined;
    const stop = () => clearTimeout(timer);
    // Emitted once the address is known.
    socket.once('connectionAttempt', () => {
      timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error('The connection timed out.'), { code: CONNECT_TIMEOUT_CODE }));
      }, timeoutMs);
    });
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', stop);
    socket.once('close', stop);
    return socket;
  };
  return agent;
}
