import type { KubernetesApi } from './kubernetes-api.ts';
import { KubernetesError } from './kubernetes-error.ts';
import type { NodeFacts } from './nodes.ts';

/** What one health check has seen; it is not judged yet. */
export interface ClusterFacts {
  /** Whether the server completed a TLS handshake in time, with a trusted certificate. */
  reachable: boolean;
  /** Whether the server said that it is healthy. */
  healthzOk: boolean;
  /** Empty when they could not be read. */
  nodes: NodeFacts[];
  /** Why something could not be read, for the log; null when all was read. */
  problem: string | null;
}

/**
 * Checks the health of a cluster with at most two requests over one connection: one if the first gets no response, or if the
 * server does not accept the credentials. Takes at most twice the time limit of a request. Throws only the reason of the
 * connection's signal.
 */
export async function checkCluster(api: KubernetesApi): Promise<ClusterFacts> {
  const health = await attempt(() => api.healthz());
  const { error } = health;
  const healthzOk = health.value ?? false;
  if (error?.kind === 'unreachable' || error?.upstreamStatus === 401) {
    return { reachable: error.isConnected, healthzOk, nodes: [], problem: error.reason };
  }
  // An unhealthy server may have lost its store, and lists then hang unless they may be stale.
  const nodes = await attempt(() => api.listNodes({ mayBeStale: !healthzOk }));
  const problem = error?.reason ?? nodes.error?.reason ?? null;
  return { reachable: true, healthzOk, nodes: nodes.value ?? [], problem };
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
