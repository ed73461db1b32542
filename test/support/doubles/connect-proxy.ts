import { createServer, request as forward } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenLocally, portOf, stopListening } from './local-server.ts';

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
      target.on('error', () => {});
      socket.once('close', () => target.destroy());
    });
    await listenLocally(proxy.#server);
    return proxy;
  }

  get port(): number {
    return portOf(this.#server);
  }

  stop(): Promise<void> {
    return stopListening(this.#server);
  }
}
