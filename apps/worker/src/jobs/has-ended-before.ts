import { isTransient } from '@gateway/openstack';
import { ParkedError } from '../saga/index.ts';
import type { JobContext } from './job-context.ts';

const RECHECK_MS = 5_000;

/**
 * Whether the job has ended before, although its record, which the store may have lost since, says that it
 * runs: the end of a job revokes its delegation. False for a job without one, and if nobody can know.
 *
 * @throws ParkedError while the identity service is unavailable
 */
export async function hasEndedBefore({
  call,
  identity,
  logger,
  worker,
}: Pick<JobContext, 'call' | 'identity' | 'logger' | 'worker'>): Promise<boolean> {
  if (identity?.delegation === undefined) return false;
  try {
    return await worker.delegations.isRevoked(identity.delegation, call);
  } catch (error) {
    logger.warn('It is not known whether the job has ended before', { error });
    if (isTransient(error)) throw new ParkedError(RECHECK_MS);
    return false;
  }
}
