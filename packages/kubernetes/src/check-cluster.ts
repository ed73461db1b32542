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
  /** Whether the server has refused the client because its certificate is too old. */
  isCertificateExpired: boolean;
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
    // The server only says that the client is not authorized.
    const expiredAt = error.upstreamStatus === 401 ? endBefore(Date.now(), api) : null;
    const problem =
      expiredAt === null ? error.reason : `the client certificate expired on ${expiredAt.toISOString()}`;
    const isCertificateExpired = expiredAt !== null;
    return { reachable: error.isConnected, healthzOk, nodes: [], problem, isCertificateExpired };
  }
  // An unhealthy server may have lost its store, and lists then hang unless they may be stale.
  const nodes = await attempt(() => api.listNodes({ mayBeStale: !healthzOk }));
  const problem = error?.reason ?? nodes.error?.reason ?? null;
  return { reachable: true, healthzOk, nodes: nodes.value ?? [], problem, isCertificateExpired: false };
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
