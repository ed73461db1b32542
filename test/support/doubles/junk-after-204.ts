import { createServer, type Socket } from 'node:net';
import { listenLocally, stopListening } from './local-server.ts';

interface RawService {
  port: number;
  close(): Promise<void>;
}

/**
 * A service whose 204 has a body, which HTTP does not allow. It sends the body at once, or when `sendLate`
 * resolves. Other requests get `respond`.
 */
export async function startJunkService(
  respond: (request: string) => string,
  { isLate = false }: { isLate?: boolean } = {},
): Promise<RawService & { sendLate(): Promise<void> }> {
  const owing: Socket[] = [];
  const server = createServer((socket) => {
    let received = '';
    socket.on('data', (data) => {
      received += data;
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end);
        received = received.slice(end + 4);
        if (!head.startsWith('DELETE')) {
          const body = respond(head);
          socket.write(
            `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
          continue;
        }
        socket.write(`HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n${isLate ? '' : 'null'}`);
        if (isLate) owing.push(socket);
      }
    });
  });
  const port = await listenLocally(server);
  return {
    port,
    async sendLate() {
      for (const socket of owing.splice(0)) {
        if (socket.writable) await new Promise((resolve) => socket.write('null', resolve));
      }
    },
    close: () => stopListening(server),
  };
}
