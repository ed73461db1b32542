import { X509Certificate } from 'node:crypto';
import { sleep } from '@gateway/core';
import { type AppliedObject, applyPathOf } from './applied-objects.ts';
import type { ClusterConnection } from './connection.ts';
import { isMissing, KubernetesError } from './kubernetes-error.ts';
import { KubernetesRequests, type ListOptions, unlessMissing } from './kubernetes-requests.ts';
import { CORDON_ANNOTATION, factsOf, type NodeFacts } from './nodes.ts';
import type { ListOf, PodObject, SecretObject, WorkloadObject } from './objects.ts';
import { type PodRun, podRunOf } from './pod-run.ts';
import { APP_LABEL, type PodFacts, type PodReference, podFactsOf, podsToEvict } from './pods.ts';
import { type SecretFacts, type SecretValues, secretFactsOf, secretPatch } from './secrets.ts';
import { type WorkloadFacts, type WorkloadKind, workloadCollections, workloadFactsOf } from './workloads.ts';

interface Evictions {
  /** Pods that are still on the node, including those whose eviction was accepted. */
  remaining: number;
  /** The remaining pods whose eviction was rejected for now, for example by a disruption budget. */
  blocked: number;
  /** The remaining pods as `namespace/name`, the blocked ones first. */
  pods: string[];
}

const DRAIN_INTERVAL_MS = 1_000;
const NODES = '/api/v1/nodes';
const PODS = '/api/v1/pods';
const MERGE_PATCH = 'application/merge-patch+json';

/**
 * The API server of one cluster. Close it after use. Methods throw `KubernetesError`. Requests are not
 * repeated, unless a method says so.
 */
export class KubernetesApi {
  readonly #connection: ClusterConnection;
  readonly #requests: KubernetesRequests;

  constructor(connection: ClusterConnection) {
    this.#connection = connection;
    this.#requests = new KubernetesRequests(connection);
  }

  /** When the client certificate expires; null for a token, whose expiry only the server knows. */
  certificateEnd(): Date | null {
    const { credentials } = this.#connection;
    if ('token' in credentials) return null;
    return new Date(new X509Certificate(credentials.clientCertificate).validTo);
  }

  /** Closes idle connections, which would otherwise stay open for some seconds. */
  close(): void {
    this.#requests.close();
  }

  /** Such as `v1.36.1+k3s1`. */
  async version(): Promise<string> {
    return this.#requests.read<{ gitVersion: string }, string>('/version', ({ gitVersion }) =>
      String(gitVersion).slice(0, 64),
    );
  }

  /** Whether the server is ready for requests. */
  readyz(): Promise<boolean> {
    return this.#requests.isOk('/readyz');
  }

  /** Whether the server reports that it is healthy. */
  healthz(): Promise<boolean> {
    return this.#requests.isOk('/healthz');
  }

  /** The nodes that have an object, sorted by name. */
  async listNodes(options: ListOptions = {}): Promise<NodeFacts[]> {
    const nodes = await this.#requests.list(NODES, factsOf, options);
    return nodes.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The workloads of one kind in a namespace. */
  listWorkloads(kind: WorkloadKind, namespace: string, options: ListOptions = {}): Promise<WorkloadFacts[]> {
    return this.#requests.list(
      workloadsPath(kind, namespace),
      (object: WorkloadObject) => workloadFactsOf(kind, object),
      options,
    );
  }

  /** The pods in a namespace whose label `app` has one of the values. */
  listPods(namespace: string, apps: readonly string[], options: ListOptions = {}): Promise<PodFacts[]> {
    return this.#requests.list(podsIn(namespace), podFactsOf, options, {
      labelSelector: `${APP_LABEL} in (${apps.join()})`,
    });
  }

  /** The values of a secret; null if it does not exist. */
  async readSecret(namespace: string, name: string): Promise<SecretValues | null> {
    const path = secretPath(namespace, name);
    const secret = await unlessMissing(() =>
      this.#requests.read<SecretObject, SecretFacts>(path, secretFactsOf),
    );
    return secret?.values ?? null;
  }

  /**
   * Changes the values of a secret, unless somebody else changes it at the same time. Returns false if it
   * does not exist.
   */
  async changeSecret(
    namespace: string,
    name: string,
    change: (values: SecretValues) => SecretValues,
  ): Promise<boolean> {
    const path = secretPath(namespace, name);
    const secret = await unlessMissing(() =>
      this.#requests.read<SecretObject, SecretFacts>(path, secretFactsOf),
    );
    if (secret === null) return false;
    const patch = secretPatch(secret, change(secret.values));
    if (patch === null) return true;
    return (await unlessMissing(() => this.#requests.send('PATCH', path, patch, MERGE_PATCH))) !== null;
  }

  /**
   * Annotates the pods of a workload, which its controller then replaces, unless they have the annotation
   * already. Returns false if the workload does not exist.
   */
  async annotatePods(
    { kind, namespace, name }: { kind: WorkloadKind; namespace: string; name: string },
    annotations: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const path = `${workloadsPath(kind, namespace)}/${encodeURIComponent(name)}`;
    const patch = { spec: { template: { metadata: { annotations } } } };
    return (await unlessMissing(() => this.#requests.send('PATCH', path, patch, MERGE_PATCH))) !== null;
  }

  /** Null if the node has no object. */
  async getNode(name: string): Promise<NodeFacts | null> {
    return unlessMissing(() => this.#requests.read(pathOf(name), factsOf));
  }

  /**
   * Prevents the scheduling of new pods on a node that is not cordoned yet, with a mark of the job, so that a
   * node which somebody else has cordoned stays so. A node that an earlier job has cordoned becomes that of
   * this job. Returns the node as it was; null if the node has no object.
   */
  async cordonFor(name: string, jobId: string): Promise<NodeFacts | null> {
    const node = await this.getNode(name);
    const isTaken = node?.unschedulable === true && (node.cordonedBy ?? jobId) === jobId;
    if (node !== null && !isTaken) await this.#setCordon(name, true, jobId);
    return node;
  }

  /** Uncordons a node that the job has cordoned; any other node stays as it is. */
  async uncordonMarked(name: string, jobId: string): Promise<void> {
    const node = await this.getNode(name);
    if (node !== null && node.cordonedBy === jobId) await this.#setCordon(name, false, null);
  }

  /**
   * Requests the eviction of all pods on the node once, except those of DaemonSets and mirror pods. Respects
   * disruption budgets: call again for the pods that they block. Sends no request after the deadline
   * (milliseconds since the epoch).
   */
  async evictPods(node: string, deadline = Number.POSITIVE_INFINITY): Promise<Evictions> {
    const query = new URLSearchParams({ fieldSelector: `spec.nodeName=${node}` });
    const pods = await this.#requests.read<ListOf<PodObject>, PodReference[]>(
      `${PODS}?${query}`,
      ({ items }) => podsToEvict(items),
    );
    const leaving: string[] = [];
    const blocked: string[] = [];
    for (const pod of pods) {
      const isLeft = pod.isTerminating || Date.now() > deadline;
      const outcome = isLeft ? 'leaving' : await this.#evict(pod);
      const name = `${pod.namespace}/${pod.name}`;
      if (outcome === 'blocked') blocked.push(name);
      else if (outcome === 'leaving') leaving.push(name);
    }
    const remaining = [...blocked, ...leaving];
    return { remaining: remaining.length, blocked: blocked.length, pods: remaining };
  }

  /**
   * Cordons the node for the job and evicts its pods repeatedly, until all have left or the deadline
   * (milliseconds since the epoch) has passed. The last request may exceed the deadline by its own limit.
   * Returns whether all pods have left; a node without an object has none. Failures are retried until the
   * deadline; then that of a node that was not cordoned is thrown.
   */
  async drain(node: string, deadline: number, jobId: string): Promise<boolean> {
    const isOver = () => Date.now() + DRAIN_INTERVAL_MS > deadline;
    for (let isCordoned = false; ; ) {
      try {
        if (!isCordoned && (await this.cordonFor(node, jobId)) === null) return true;
        isCordoned = true;
        if ((await this.evictPods(node, deadline)).remaining === 0) return true;
      } catch (error) {
        if (!(error instanceof KubernetesError) || (!isCordoned && isOver())) throw error;
      }
      if (isOver()) return false;
      await sleep(DRAIN_INTERVAL_MS, this.#connection.signal);
    }
  }

  /** Creates a pod. A pod of the same name is not an error. */
  async createPod(pod: { metadata: { namespace: string } }): Promise<void> {
    try {
      await this.#requests.send('POST', podsIn(pod.metadata.namespace), pod);
    } catch (error) {
      if (!(error instanceof KubernetesError && error.upstreamStatus === 409)) throw error;
    }
  }

  /** Null if there is no such pod. */
  async getPod(namespace: string, name: string): Promise<PodRun | null> {
    return unlessMissing(() =>
      this.#requests.read(`${podsIn(namespace)}/${encodeURIComponent(name)}`, (pod: PodObject) =>
        podRunOf(pod),
      ),
    );
  }

  /** Deletes a pod at once. A missing pod is not an error. */
  async deletePod(namespace: string, name: string): Promise<void> {
    const path = `${podsIn(namespace)}/${encodeURIComponent(name)}?gracePeriodSeconds=0`;
    await unlessMissing(() => this.#requests.send('DELETE', path));
  }

  /** A missing secret is not an error. */
  async deleteSecret(namespace: string, name: string): Promise<void> {
    await unlessMissing(() => this.#requests.send('DELETE', secretPath(namespace, name)));
  }

  /**
   * Applies an object of a known kind, as `kubectl apply --server-side --force-conflicts` does. With the same
   * field manager, fields that only an earlier version of the object has are removed.
   */
  async apply(object: AppliedObject): Promise<void> {
    const query = new URLSearchParams({ fieldManager: 'kubectl', force: 'true' });
    const type = 'application/apply-patch+yaml';
    await this.#requests.send('PATCH', `${applyPathOf(object)}?${query}`, object, type);
  }

  /** A missing node is not an error. */
  async deleteNode(name: string): Promise<void> {
    await unlessMissing(() => this.#requests.send('DELETE', pathOf(name)));
  }

  async #evict({ namespace, name, uid }: PodReference): Promise<'leaving' | 'gone' | 'blocked'> {
    // The uid protects a new pod of the same name, which may run on another node.
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace, name },
      deleteOptions: { preconditions: { uid } },
    };
    try {
      await this.#requests.send('POST', path, body);
      return 'leaving';
    } catch (error) {
      if (isMissing(error)) return 'gone';
      // 429 for a disruption budget; 409 and 500 for temporary conflicts; 403 in a namespace
      // that is being deleted.
      if (error instanceof KubernetesError && error.kind !== 'unreachable') return 'blocked';
      throw error;
    }
  }

  async #setCordon(node: string, unschedulable: boolean, mark: string | null): Promise<void> {
    const patch = { metadata: { annotations: { [CORDON_ANNOTATION]: mark } }, spec: { unschedulable } };
    await unlessMissing(() => this.#requests.send('PATCH', pathOf(node), patch, MERGE_PATCH));
  }
}

function secretPath(namespace: string, name: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
}

function workloadsPath(kind: WorkloadKind, namespace: string): string {
  const [group, resource] = workloadCollections[kind];
  return `/apis/${group}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

function podsIn(namespace: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
}

function pathOf(node: string): string {
  return `${NODES}/${encodeURIComponent(node)}`;
}
