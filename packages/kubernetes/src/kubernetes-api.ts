import { X509Certificate } from 'node:crypto';
import { sleep } from '@gateway/core';
import type { ClusterConnection } from './connection.ts';
import { type CoreV1Api, coreApi, mergePatch, readable, type V1Eviction } from './core-api.ts';
import { isMissing, KubernetesError } from './kubernetes-error.ts';
import { factsOf, list, type NodeFacts } from './nodes.ts';
import { type PodReference, podsToEvict } from './pods.ts';
import { Transport, type TransportResponse } from './transport.ts';

interface Evictions {
  /** Pods that have not left yet, whether their eviction was accepted or not. */
  remaining: number;
  /** Those of them whose eviction was refused for now, as by a disruption budget. */
  blocked: number;
}

const DRAIN_INTERVAL_MS = 1_000;

/**
 * The API server of one cluster. Close it after use. Methods throw `KubernetesError`; requests are not repeated, except where
 * a method says so.
 */
export class KubernetesApi {
  readonly #connection: ClusterConnection;
  readonly #server: string;
  readonly #transport: Transport;
  #core: Promise<CoreV1Api> | null = null;

  constructor(connection: ClusterConnection) {
    this.#connection = connection;
    this.#server = connection.server.replace(/\/$/, '');
    this.#transport = new Transport(connection);
  }

  /** Until when the server accepts the client certificate; null for a token, whose end only the server knows. */
  certificateEnd(): Date | null {
    const { credentials } = this.#connection;
    if ('token' in credentials) return null;
    return new Date(new X509Certificate(credentials.clientCertificate).validTo);
  }

  /** Closes the connections, which otherwise wait some seconds for the next request. */
  close(): void {
    this.#transport.close();
  }

  /** As `v1.36.1+k3s1`. */
  async version(): Promise<string> {
    const { text } = await this.#get('/version');
    return readable(
      async () => String((JSON.parse(text) as { gitVersion: string }).gitVersion).slice(0, 64),
      undefined,
    );
  }

  /** Whether the server is ready for requests. */
  readyz(): Promise<boolean> {
    return this.#isOk('/readyz');
  }

  /** Whether the server says that it is healthy. */
  healthz(): Promise<boolean> {
    return this.#isOk('/healthz');
  }

  /**
   * The nodes that have an object, sorted by name. With `mayBeStale` the server answers from memory, which may be
   * moments old, but works without its store.
   */
  async listNodes({ mayBeStale = false }: { mayBeStale?: boolean } = {}): Promise<NodeFacts[]> {
    const options = mayBeStale ? { resourceVersion: '0' } : {};
    const nodes = await this.#call(async (core) => list((await core.listNode(options)).items).map(factsOf));
    return nodes.filter((facts) => facts !== null).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Null when the node has no object. */
  async getNode(name: string): Promise<NodeFacts | null> {
    return unlessMissing(() => this.#call(async (core) => factsOf(await core.readNode({ name }))));
  }

  /** Keeps new pods away from the node. Returns false when the node has no object. */
  async cordon(name: string): Promise<boolean> {
    const options = await mergePatch();
    const body = { spec: { unschedulable: true } };
    const patched = await unlessMissing(() => this.#call((core) => core.patchNode({ name, body }, options)));
    return patched !== null;
  }

  /**
   * Requests the eviction of all pods on the node once, except those of DaemonSets and mirror pods. Disruption budgets are
   * respected: call again for the pods that they block. Sends no request after the deadline (milliseconds since the epoch).
   */
  async evictPods(node: string, deadline = Number.POSITIVE_INFINITY): Promise<Evictions> {
    const fieldSelector = `spec.nodeName=${node}`;
    const pods = await this.#call(async (core) =>
      podsToEvict((await core.listPodForAllNamespaces({ fieldSelector })).items),
    );
    const evictions: Evictions = { remaining: 0, blocked: 0 };
    for (const pod of pods) {
      const isLeft = pod.isTerminating || Date.now() > deadline;
      const outcome = isLeft ? 'leaving' : await this.#evict(pod);
      if (outcome !== 'gone') evictions.remaining += 1;
      if (outcome === 'blocked') evictions.blocked += 1;
    }
    return evictions;
  }

  /**
   * Cordons the node and evicts its pods, again and again, until all have left or the deadline (milliseconds since the
   * epoch) has passed, which a last request may exceed by its own limit. Returns whether all have left; a node
   * without an object has no pods. After the node is cordoned, failures are retried until the deadline.
   */
  async drain(node: string, deadline: number): Promise<boolean> {
    if (!(await this.cordon(node))) return true;
    for (;;) {
      const evictions = await this.evictPods(node, deadline).catch((error: unknown) => {
        if (error instanceof KubernetesError) return null;
        throw error;
      });
      if (evictions?.remaining === 0) return true;
      if (Date.now() + DRAIN_INTERVAL_MS > deadline) return false;
      await sleep(DRAIN_INTERVAL_MS, this.#connection.signal);
    }
  }

  /** A missing node is not an error. */
  async deleteNode(name: string): Promise<void> {
    await unlessMissing(() => this.#call((core) => core.deleteNode({ name })));
  }

  async #evict({ namespace, name, uid }: PodReference): Promise<'leaving' | 'gone' | 'blocked'> {
    // The uid spares a new pod of the same name, which may run on another node.
    const body: V1Eviction = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace, name },
      deleteOptions: { preconditions: { uid } },
    };
    try {
      await this.#call((core) => core.createNamespacedPodEviction({ namespace, name, body }));
      return 'leaving';
    } catch (error) {
      if (isMissing(error)) return 'gone';
      // 429 for a disruption budget; also 409 and 500 for conflicts that may pass, 403 in a namespace that is being deleted.
      if (error instanceof KubernetesError && error.kind !== 'unreachable') return 'blocked';
      throw error;
    }
  }

  #get(path: string): Promise<TransportResponse> {
    return this.#transport.send({ method: 'GET', url: `${this.#server}${path}` });
  }

  async #isOk(path: string): Promise<boolean> {
    try {
      await this.#get(path);
      return true;
    } catch (error) {
      if (error instanceof KubernetesError && error.kind === 'status') return false;
      throw error;
    }
  }

  async #call<T>(run: (core: CoreV1Api) => Promise<T>): Promise<T> {
    this.#core ??= coreApi(this.#server, this.#transport);
    const core = await this.#core;
    return readable(() => run(core), this.#connection.signal);
  }
}

async function unlessMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
