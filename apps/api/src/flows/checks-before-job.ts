import { type BoundClient, isTransient } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

/** The longest wait for services, after which the checks are left to the job. */
const MAX_WAIT_MS = 3_000;

interface ChecksBeforeJob {
  /** The cloud with the rights of the caller, for as long as the request waits for it. */
  client: BoundClient;
  /** The result of a check; null if its service is unavailable or slow. The job checks again then. */
  unlessUnavailable<T>(check: Promise<T>): Promise<T | null>;
  /** Whether any check was left to the job. */
  readonly isAnyLeft: boolean;
}

/** For checks that the job of a request would make, so that the request is refused at once. */
export function checksBeforeJob({ app, call, caller, logger }: RequestContext): ChecksBeforeJob {
  let isAnyLeft = false;
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  return {
    client: app.openstack.as(caller.identity, { ...call, signal }),
    async unlessUnavailable(check) {
      try {
        return await check;
      } catch (error) {
        if (!isTransient(error) && error !== signal.reason) throw error;
        isAnyLeft = true;
        logger.warn('A check of a creation is left to its job', { error });
        return null;
      }
    },
    get isAnyLeft() {
      return isAnyLeft;
    },
  };
}
