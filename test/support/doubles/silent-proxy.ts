import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenLocally, portOf } from './local-server.ts';

/**
 * Passes the bytes of connections on. While it is silent it takes connections and passes nothing on; what
 * was open or began meanwhile stays silent for ever, as behind a router that was restarted.
 */
export class SilentProxy {
  readonly #target: URL;
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  private constructor(target: string) {
    this.#target = new URL(target);
  }

  static async start(target: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(target);
    await listenLocally(proxy.#server);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  fallSilent(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** New connections are passed on again. */
  passOn(): void {
    this.#isSilent = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.#keep(socket);
    if (this.#isSilent) return;
    const other = connect(Number(this.#target.port), this.#target.hostname);
    this.#keep(other);
    socket.pipe(other).pipe(socket);
    for (const [one, another] of [
      [socket, other],
      [other, socket],
    ] as const) {
      one.once('close', () => this.#isSilent || another.destroy());
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    // Its end is the end of the connection.
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
