import type { KubernetesApi } from './kubernetes-api.ts';
import { KubernetesError } from './kubernetes-error.ts';
import type { NodeFacts } from './nodes.ts';
import type { PodFacts } from './pods.ts';
import type { WorkloadFacts, WorkloadKind } from './workloads.ts';

/** The workloads of a check. */
export interface WorkloadQuery {
  namespace: string;
  kinds: readonly WorkloadKind[];
  /** The values of the label `app` of their pods. */
  apps: readonly string[];
}

/** The results of one health check, without a verdict. */
export interface ClusterFacts {
  /** Whether the server completed a TLS handshake in time, with a trusted certificate. */
  reachable: boolean;
  /** Whether the server reported that it is healthy. */
  healthzOk: boolean;
  /** Empty if they could not be read. */
  nodes: NodeFacts[];
  /** The workloads and pods of the query; null if they could not be read. */
  workloads: { found: WorkloadFacts[]; pods: PodFacts[] } | null;
  /** Why a read failed, for the log; null if none failed. */
  problem: string | null;
  /** Whether the server rejected the client because its certificate has expired. */
  isCertificateExpired: boolean;
}

/**
 * Checks the health of a cluster: a request for its health, then at the same time one for its nodes, one for
 * each kind of workload and one for their pods. It stops after the first if that gets no response, or if the
 * server rejects the credentials. Takes at most twice the time limit of a request. Throws only the reason of
 * the connection's signal.
 */
export async function checkCluster(
  api: KubernetesApi,
  query: WorkloadQuery | null = null,
): Promise<ClusterFacts> {
  const health = await attempt(() => api.healthz());
  const { error } = health;
  const healthzOk = health.value ?? false;
  if (error?.kind === 'unreachable' || error?.upstreamStatus === 401) {
    // The server reports only that the client is not authorized.
    const expiredAt = error.upstreamStatus === 401 ? endBefore(Date.now(), api) : null;
    const problem =
      expiredAt === null ? error.reason : `the client certificate expired on ${expiredAt.toISOString()}`;
    const isCertificateExpired = expiredAt !== null;
    return {
      reachable: error.isConnected,
      healthzOk,
      nodes: [],
      workloads: null,
      problem,
      isCertificateExpired,
    };
  }
  // An unhealthy server may have lost its store. Lists then hang unless they may be stale.
  const options = { mayBeStale: !healthzOk };
  const [nodes, workloads] = await Promise.all([
    attempt(() => api.listNodes(options)),
    attempt(() => readWorkloads(api, query, options)),
  ]);
  return {
    reachable: true,
    healthzOk,
    nodes: nodes.value ?? [],
    workloads: workloads.value ?? null,
    problem: error?.reason ?? nodes.error?.reason ?? workloads.error?.reason ?? null,
    isCertificateExpired: false,
  };
}

async function readWorkloads(
  api: KubernetesApi,
  query: WorkloadQuery | null,
  options: { mayBeStale: boolean },
): Promise<NonNullable<ClusterFacts['workloads']>> {
  if (query === null) return { found: [], pods: [] };
  const { namespace, kinds, apps } = query;
  const [pods, ...found] = await Promise.all([
    api.listPods(namespace, apps, options),
    ...kinds.map((kind) => api.listWorkloads(kind, namespace, options)),
  ]);
  return { found: found.flat(), pods };
}

function endBefore(now: number, api: KubernetesApi): Date | null {
  const end = api.certificateEnd();
  return end !== null && end.getTime() < now ? end : null;
}

async function attempt<T>(
  call: () => Promise<T>,
): Promise<{ value: T; error?: undefined } | { value?: undefined; error: KubernetesError }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof KubernetesError) return { error };
    throw error;
  }
}
