import { conflict } from '@gateway/core';
import { type KubernetesApi, KubernetesError, type LiteCluster } from '@gateway/lite';
import type { Config } from '@gateway/platform';
import { ParkedError } from '../../saga/index.ts';
import { requireLiteCluster } from '../lite-clusters/context.ts';
import type { UpgradeLiteClusterContext } from './saga.ts';

/** In polling intervals. */
const CHECK_INTERVALS = 3;

export function retryPause({ config }: { config: Config }): number {
  return CHECK_INTERVALS * config.jobs.pollIntervalMs;
}

/** @throws 409 without the address or the credentials of the API server */
export async function requireClusterApi(
  { kubernetes }: Pick<UpgradeLiteClusterContext, 'kubernetes'>,
  cluster: LiteCluster,
): Promise<KubernetesApi> {
  const api = await kubernetes(cluster);
  if (api === null) throw conflict('unsuitable', 'The API server of the cluster is not known.');
  return api;
}

interface Waiting {
  /** In milliseconds since the epoch. */
  deadline: number;
  /** The error after the deadline, with what is missing, or with why the API server did not respond. */
  late(problem: string): Error;
}

/**
 * Looks at the cluster once. Parks the job until the deadline if something is missing, or if the API server
 * does not respond as expected: it is unavailable while its node is upgraded.
 *
 * @param look returns what is missing; null for nothing
 */
export async function awaitInCluster(
  context: UpgradeLiteClusterContext,
  look: (api: KubernetesApi) => Promise<string | null>,
  waiting: () => Waiting,
): Promise<void> {
  const api = await requireClusterApi(context, await requireLiteCluster(context));
  let problem: string | null;
  try {
    problem = await look(api);
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    problem = `the API server does not respond as expected: ${error.reason}`;
  } finally {
    api.close();
  }
  if (problem === null) return;
  const { deadline, late } = waiting();
  const leftMs = deadline - Date.now();
  if (leftMs <= 0) throw late(problem);
  throw new ParkedError(Math.min(leftMs, retryPause(context)));
}
