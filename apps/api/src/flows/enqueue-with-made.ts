import { type Intents, readQueued } from '@gateway/jobs';
import type { DelegatedIdentity } from '@gateway/openstack';
import type { AppContext } from '../context.ts';

interface MadeForJob {
  intents: Pick<Intents<never>, 'remove'>;
  intentId: string | undefined;
  isIn(credential: DelegatedIdentity): boolean;
  /** Returns whether it is gone. */
  remove(): Promise<boolean>;
  /** The removal has failed: the workers repeat it. */
  onRemovalFailed(error: unknown): void;
}

/**
 * Enqueues a job with a delegation or a credential that was made for it. What no job uses is removed here, or
 * by the workers if this process dies first. See decision 24.
 */
export async function enqueueWithMade(
  app: Pick<AppContext, 'credentials' | 'redis'>,
  made: MadeForJob,
  enqueue: () => Promise<string>,
): Promise<string> {
  try {
    const jobId = await enqueue();
    // A job that was queued before keeps its own credential.
    if (await isUsedByJob(app, jobId, made)) endIntent(made);
    else await removeUnused(made);
    return jobId;
  } catch (error) {
    void removeUnused(made);
    throw error;
  }
}

/** The workers remove an intent that remains, once they find that a job uses what was made. */
export function endIntent({ intents, intentId }: Pick<MadeForJob, 'intents' | 'intentId'>): void {
  if (intentId !== undefined) intents.remove(intentId).catch(() => {});
}

/** Also true if the store does not answer. The worker removes the credentials of a job that has ended. */
async function isUsedByJob(
  { credentials, redis }: Pick<AppContext, 'credentials' | 'redis'>,
  jobId: string,
  made: MadeForJob,
): Promise<boolean> {
  try {
    const queued = await readQueued(redis.store, jobId);
    if (queued === null || queued.credentialHandle === null) return true;
    const used = await credentials.get(queued.credentialHandle);
    return used !== null && made.isIn(used);
  } catch {
    return true;
  }
}

async function removeUnused(made: MadeForJob): Promise<void> {
  try {
    if (await made.remove()) endIntent(made);
  } catch (error) {
    made.onRemovalFailed(error);
  }
}
