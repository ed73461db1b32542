import type { ClusterConnection } from './connection.ts';
import { isMissing, KubernetesError } from './kubernetes-error.ts';
import { list } from './object-values.ts';
import type { ListOf } from './objects.ts';
import { Transport, type TransportRequest } from './transport.ts';

export interface ListOptions {
  /**
   * The server responds from memory: its data may be moments old, but the call works without the server's
   * store.
   */
  mayBeStale?: boolean;
}

/** Requests to one API server by path. Methods throw `KubernetesError`. */
export class KubernetesRequests {
  readonly #server: string;
  readonly #transport: Transport;

  constructor(connection: ClusterConnection) {
    this.#server = connection.server.replace(/\/$/, '');
    this.#transport = new Transport(connection);
  }

  close(): void {
    this.#transport.close();
  }

  /** Whether the response has a status of success. */
  async isOk(path: string): Promise<boolean> {
    try {
      await this.send('GET', path);
      return true;
    } catch (error) {
      if (error instanceof KubernetesError && error.kind === 'status') return false;
      throw error;
    }
  }

  /** Reads the items of a list; without those for which `factsOfItem` returns null. */
  async list<Object, Facts>(
    path: string,
    factsOfItem: (item: Object) => Facts | null,
    { mayBeStale = false }: ListOptions,
    selectors: Record<string, string> = {},
  ): Promise<Facts[]> {
    const query = new URLSearchParams({ ...selectors, ...(mayBeStale && { resourceVersion: '0' }) });
    const url = query.size === 0 ? path : `${path}?${query}`;
    return this.read<ListOf<Object>, Facts[]>(url, ({ items }) =>
      list(items).flatMap((item) => factsOfItem(item) ?? []),
    );
  }

  /** Reads a JSON response. `read` may throw, because a server can send anything. */
  async read<Body, Result>(path: string, read: (body: Body) => Result): Promise<Result> {
    const text = await this.send('GET', path);
    try {
      return read(JSON.parse(text) as Body);
    } catch (cause) {
      const reason = cause instanceof SyntaxError ? 'not JSON' : 'an object of another kind';
      throw new KubernetesError({ kind: 'invalid', isConnected: true, reason, cause });
    }
  }

  /** Returns the body of the response. */
  async send(
    method: TransportRequest['method'],
    path: string,
    body?: object,
    contentType = 'application/json',
  ): Promise<string> {
    const { text } = await this.#transport.send({
      method,
      url: `${this.#server}${path}`,
      ...(body && { headers: { 'content-type': contentType }, body: JSON.stringify(body) }),
    });
    return text;
  }
}

/** Returns null if the object of the call does not exist. */
export async function unlessMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
