import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/**
 * An HTTP proxy. It connects to 127.0.0.1 whatever the host, so that requests for hosts that do not exist
 * arrive at servers of the test.
 */
export class ConnectProxy {
  /** The hosts of tunnels, and the URLs of requests without a tunnel. */
  readonly targets: string[] = [];
  /** The header `proxy-authorization` of the last request. */
  authorization: string | undefined;
  /** Refuses all requests while true. */
  isRefusing = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => {
    this.targets.push(request.url ?? '');
    this.authorization = request.headers['proxy-authorization'];
    const { port, pathname } = new URL(request.url ?? '');
    const { method, headers } = request;
    const sent = forward({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(sent);
  });

  static async start(): Promise<ConnectProxy> {
    const proxy = new ConnectProxy();
    proxy.#server.on('connection', (socket) => proxy.#track(socket));
    proxy.#server.on('connect', ({ url = '', headers }, socket: Socket) => {
      proxy.targets.push(url);
      proxy.authorization = headers['proxy-authorization'];
      if (proxy.isRefusing) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const target = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      proxy.#track(target);
    });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
