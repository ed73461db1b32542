import { newRequestId } from '@gateway/core';
import { type CredentialMakerIntent, readQueued } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';

/**
 * Removes application credentials that were created for jobs which do not use them, because an api process
 * died in between, or because the identity service created them without a response. Without a service user
 * who is an administrator, they expire by themselves.
 */
export async function removeOrphanedCredentialMakers(worker: WorkerContext): Promise<void> {
  const { config, credentialMakerIntents, logger, serviceAccount, stopping } = worker;
  const intents = await credentialMakerIntents.readAll();
  if (intents.size === 0) return;
  const call = { requestId: newRequestId() };
  const identity = await serviceAccount.identity(call);
  const isAdministrator = identity?.roles.includes(config.identity.adminRole) === true;
  const service = isAdministrator ? await serviceAccount.bind(call) : null;
  for (const [id, intent] of intents) {
    if (stopping.signal.aborted) return;
    try {
      if (await isSettled(worker, service, intent)) await credentialMakerIntents.remove(id);
    } catch (error) {
      logger.warn('An unused application credential could not be removed yet', {
        user_id: intent.userId,
        error,
      });
    }
  }
}

/** Removes an unused credential. Returns whether none can appear any more. */
async function isSettled(
  worker: WorkerContext,
  service: BoundClient | null,
  intent: CredentialMakerIntent,
): Promise<boolean> {
  const { config } = worker;
  const now = Date.now();
  if (now >= intent.expiresAt) return true;
  if (service === null) return false;
  // Only a search that starts after this time finds what a late call has created. By then, the request of the
  // call has ended.
  if (now - intent.since < config.jobs.lateCallSeconds * 1000) return false;
  const { applicationCredentials } = service.identity;
  const found = await applicationCredentials.listByName(intent.userId, intent.name);
  if (found.length > 0) {
    // Read in this order: a request removes its intent only after the job has the credential.
    if (await isBeingRepeated(worker, intent)) return false;
    const usedId = await credentialMakerOf(worker, intent.jobId);
    for (const { id } of found) {
      if (id !== usedId) await applicationCredentials.remove(intent.userId, id);
    }
  }
  return now - intent.since >= config.jobs.recheckSeconds * 1000;
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
