import { newRequestId, systemClock } from '@gateway/core';
import { type CredentialMakerIntent, readQueued, settleIntents } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';

/**
 * Removes application credentials that were created for jobs which do not use them, because an api process
 * died in between, or because the identity service created them without a response. Without a service user
 * who is an administrator, they expire by themselves.
 */
export async function removeOrphanedCredentialMakers(worker: WorkerContext): Promise<void> {
  const { config, credentialMakerIntents, logger, serviceAccount, stopping } = worker;
  if ((await credentialMakerIntents.size()) === 0) return;
  const call = { requestId: newRequestId() };
  const identity = await serviceAccount.identity(call);
  const isAdministrator = identity?.roles.includes(config.identity.adminRole) === true;
  const service = isAdministrator ? await serviceAccount.bind(call) : null;
  await settleIntents(credentialMakerIntents, {
    clock: systemClock,
    lateCallMs: config.jobs.lateCallSeconds * 1000,
    recheckMs: config.jobs.recheckSeconds * 1000,
    stopping: stopping.signal,
    isOver: ({ expiresAt }, now) => now >= expiresAt,
    removeUnused: async (intent) => service !== null && removeUnused(worker, service, intent),
    onError: (error, intent) =>
      logger.warn('An unused application credential could not be removed yet', {
        user_id: intent?.userId,
        error,
      }),
  });
}

async function removeUnused(
  worker: WorkerContext,
  { identity: { applicationCredentials } }: BoundClient,
  intent: CredentialMakerIntent,
): Promise<boolean> {
  const found = await applicationCredentials.listByName(intent.userId, intent.name);
  if (found.length === 0) return true;
  // Read in this order: a request removes its intent only after the job has the credential.
  if (await isBeingRepeated(worker, intent)) return false;
  const usedId = await credentialMakerOf(worker, intent.jobId);
  for (const { id } of found) {
    if (id !== usedId) await applicationCredentials.remove(intent.userId, id);
  }
  return true;
}

/** Whether a repetition of the request, which may still run, creates a credential with the same name. */
async function isBeingRepeated(
  { config, credentialMakerIntents }: WorkerContext,
  { jobId }: CredentialMakerIntent,
): Promise<boolean> {
  const youngest = Date.now() - config.jobs.lateCallSeconds * 1000;
  const intents = (await credentialMakerIntents.readAll()).values();
  return intents.some((other) => other.jobId === jobId && other.since > youngest);
}

async function credentialMakerOf(
  { credentials, redis }: WorkerContext,
  jobId: string,
): Promise<string | undefined> {
  const handle = (await readQueued(redis.store, jobId))?.credentialHandle ?? null;
  return handle === null ? undefined : (await credentials.get(handle))?.credentialMaker?.id;
}
