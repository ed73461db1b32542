import { conflict } from '@gateway/core';
import {
  credentialHolders,
  isAvailable,
  type KubernetesApi,
  KubernetesError,
  type LiteCluster,
  withCredential,
} from '@gateway/lite';
import type { ApplicationCredentialLogin } from '@gateway/openstack';
import { ParkedError, requireState } from '../../saga/index.ts';
import { apiServerGraceMs } from '../lite-clusters/await-nodes.ts';
import type { ReplaceLiteCredentialStepContext } from './saga.ts';

/** On the pods with a credential: a change of its value restarts their programs. */
const ANNOTATION = 'gateway/credential';

/**
 * Calls the API server of the cluster.
 *
 * @throws KubernetesError; 409 if the cluster has no configuration file
 */
export async function withApiServer<T>(
  context: Pick<ReplaceLiteCredentialStepContext, 'kubernetes'>,
  cluster: LiteCluster,
  call: (api: KubernetesApi) => Promise<T>,
): Promise<T> {
  const api = await context.kubernetes(cluster);
  if (api === null)
    throw conflict('unsuitable', 'The cluster has no configuration file with which the gateway reaches it.');
  try {
    return await call(api);
  } finally {
    api.close();
  }
}

/**
 * The same, parked and repeated while the API server does not answer as expected.
 *
 * @param limitMs counts from the beginning of the step
 */
export async function patiently<T>(
  { config, logger, since }: Pick<ReplaceLiteCredentialStepContext, 'config' | 'logger' | 'since'>,
  call: () => Promise<T>,
  limitMs = apiServerGraceMs(config),
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isOver = Date.now() > since + limitMs;
    if (!(error instanceof KubernetesError) || isOver) throw error;
    logger.info('A request to the API server of a cluster is repeated', { reason: error.reason });
    throw new ParkedError(config.jobs.pollIntervalMs);
  }
}

/** Replaces a credential by another in the secrets of the plugins that have it. Can be repeated. */
export async function writeSecrets(
  api: KubernetesApi,
  { plugins }: LiteCluster,
  from: ApplicationCredentialLogin,
  to: ApplicationCredentialLogin,
): Promise<void> {
  const { namespace, secrets } = credentialHolders(plugins);
  for (const name of secrets) {
    await api.changeSecret(namespace, name, (values) => withCredential(values, from, to));
  }
}

/** Lets the programs that have read a credential start again with this one. Can be repeated. */
export async function restartPrograms(
  api: KubernetesApi,
  { plugins }: LiteCluster,
  credentialId: string,
): Promise<void> {
  const { namespace, workloads } = credentialHolders(plugins);
  for (const { kind, name } of workloads) {
    await api.annotatePods({ kind, namespace, name }, { [ANNOTATION]: credentialId });
  }
}

/** The names of the workloads with a credential that are not available. */
export async function findUnavailable(api: KubernetesApi, { plugins }: LiteCluster): Promise<string[]> {
  const { namespace, workloads } = credentialHolders(plugins);
  const kinds = [...new Set(workloads.map(({ kind }) => kind))];
  const found = (await Promise.all(kinds.map((kind) => api.listWorkloads(kind, namespace)))).flat();
  return workloads
    .filter(
      ({ kind, name }) => !found.some((one) => one.kind === kind && one.name === name && isAvailable(one)),
    )
    .map(({ name }) => name);
}

/**
 * The old and the new credential, with their secrets.
 *
 * @param nextId the id of the new one
 */
export async function bothCredentials(
  { liteClusters, state }: Pick<ReplaceLiteCredentialStepContext, 'liteClusters' | 'state'>,
  cluster: LiteCluster,
  nextId: string,
): Promise<{ old: ApplicationCredentialLogin; next: ApplicationCredentialLogin }> {
  const [old, next] = await Promise.all([
    liteClusters.readSecret(cluster, 'credentialSecret'),
    liteClusters.readSecret(cluster, 'nextCredentialSecret'),
  ]);
  if (old === null || next === null) throw new Error('The secret of a credential is missing.');
  return {
    old: { id: requireState({ state }, 'replaced').id, secret: old },
    next: { id: nextId, secret: next },
  };
}
