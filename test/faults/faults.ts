import { setTimeout as pause } from 'node:timers/promises';
import type { FaultSpec, HoldPoint, Inventory, Matcher } from '../support/clients/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { copyStore } from '../support/redis/store-copy.ts';
import { type End, type Fault, type FaultedJob, NotReachedError, type Site, waitUntilHeld } from './fault.ts';
import type { Kind } from './kind.ts';
import type { Rig, StartedJob } from './rig.ts';

const RECHECK_TIMEOUT_MS = 30_000;

/** The response of a proxy that briefly has no route to the service. */
const PROXY_404: FaultSpec = {
  status: 404,
  body: '<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
  headers: { 'Content-Type': 'text/html' },
};
/** Longer than a rollback that does not wait for late calls. */
const REVERSAL_MS = 5_000;
/** Longer than the retries of one call. */
const NO_ROUTE_MS = 2_000;

const mustComplete = (): readonly End[] => ['completed'];
const mayFail = (): readonly End[] => ['completed', 'failed'];

/** After a write the saga must adopt its result and complete; after a read it may fail. */
function mustCompleteAfterWrites({ place }: Site): readonly End[] {
  return place.isRead ? mayFail() : mustComplete();
}

function mustStopIfPossible({ kind, place }: Site): readonly End[] {
  return kind.isCancellable && !place.isCommitted ? ['cancelled'] : ['completed', 'cancelled'];
}

export const faults: readonly Fault[] = [
  workerKilled('worker killed before the call', 'before'),
  workerKilled('worker killed after the call', 'after'),
  workerKilled('worker killed after the journal', 'next'),
  {
    name: 'api killed',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        const [api] = rig.stack.apis;
        if (api !== undefined) await rig.killAndRestart(api);
        await hold.release();
      };
    },
    allows: mustComplete,
  },
  {
    name: 'redis killed',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        const { redis } = rig.stack;
        if (redis === null) throw new Error('There is no Redis to kill.');
        await redis.kill('SIGKILL');
        await hold.release();
        await redis.restart();
      };
    },
    allows: mustComplete,
  },
  { ...storeSetBack('store set back to the call', 0), appliesTo: (_kind, { isRead }) => isRead !== true },
  { ...storeSetBack('store set back by 20 s', 20_000), appliesTo: ({ runsSlowFaults }) => runsSlowFaults },
  lateCall('late call, 1 s after the recheck', 1_000),
  lateCall('late call, 60 s after the recheck', 60_000),
  {
    name: 'late call after the cancellation',
    arm: lateUntil(async ({ rig }, job) => {
      await cancel(rig, job);
      await rig.killAndRestart(await rig.workerOf(job.jobId));
      await job.ended;
    }),
    appliesTo: ({ isCancellable }, { isCommitted, isRead }) =>
      isCancellable && !isCommitted && isRead !== true,
    allows: mustStopIfPossible,
  },
  {
    name: 'late call during the rollback',
    isLate: true,
    async arm({ rig, kind, match }) {
      const refused = { ...refusalOf(kind), requestId: match.requestId };
      const hold = await rig.control.hold('late', match);
      await rig.control.addFault({ ...refused, status: 400 });
      return async (job) => {
        await waitUntilHeld(hold, job);
        await waitUntilMet(rig, refused, job);
        await Promise.race([pause(REVERSAL_MS), job.ended]);
        await hold.release();
      };
    },
    appliesTo: ({ revertsAt, steps }, { isRead, step }) =>
      revertsAt !== undefined && isRead !== true && steps.indexOf(step) < steps.indexOf(revertsAt),
    allows: () => ['failed'],
  },
  {
    name: 'no response, late call after the end',
    isAfterEnd: true,
    arm: lateUntil(async (_site, job) => void (await job.ended)),
    appliesTo: ({ runsSlowFaults }, { isRead }) => runsSlowFaults && isRead !== true,
    allows: mayFail,
  },
  {
    name: 'worker killed, late call after the end',
    isAfterEnd: true,
    repeatsCall: true,
    arm: lateUntil(async ({ rig }, job) => {
      await rig.killAndRestart(await rig.workerOf(job.jobId));
      await job.ended;
    }),
    appliesTo: (_kind, { isRead }) => isRead !== true,
    allows: mustComplete,
  },
  serviceFault('500 after the call', { status: 500, after: true }, mustCompleteAfterWrites),
  serviceFault('no response after the call', { hang: true, after: true }, mayFail),
  serviceFault('no response, not performed', { hang: true }, mayFail),
  serviceFault('connection reset after the call', { drop: true, after: true }, mustComplete),
  serviceFault('404 of a proxy', PROXY_404, mustComplete),
  {
    name: '404s of a proxy for 2 s',
    async arm({ rig, match }) {
      const { requestId, service } = match;
      await rig.control.addFault({ ...match, ...PROXY_404, times: 0 });
      return async (job) => {
        await waitUntilMet(rig, match, job);
        await rig.control.addFault({ requestId, service, ...PROXY_404, times: 0 });
        await pause(NO_ROUTE_MS);
        await rig.control.clear();
      };
    },
    allows: mustComplete,
  },
  {
    name: '404s of a proxy in the rollback',
    async arm({ rig, match }) {
      const { requestId } = match;
      await rig.control.addFault({ ...match, status: 400 });
      await rig.control.addFault({ requestId, method: 'DELETE', ...PROXY_404, times: 0 });
      return async (job) => {
        await waitUntilMet(rig, match, job);
        await rig.control.addFault({ requestId, ...PROXY_404, times: 0 });
        await pause(NO_ROUTE_MS);
        await rig.control.clear();
      };
    },
    appliesTo: ({ isCancellable }, { isCommitted, hasRollback }) =>
      isCancellable && hasRollback && !isCommitted,
    // A run that cannot ask whether the job has ended before is repeated, and can complete it.
    allows: mayFail,
  },
  {
    name: 'worker frozen after the call',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        const worker = await rig.workerOf(job.jobId);
        await worker.kill('SIGSTOP');
        await job.ended;
        // Another worker has finished the job in the meantime.
        await worker.kill('SIGCONT');
        await hold.release();
        await rig.waitUntilHealthy(worker);
      };
    },
    appliesTo: ({ runsSlowFaults }, { isRead }) => runsSlowFaults && isRead !== true,
    allows: mustComplete,
  },
  {
    name: 'worker killed during rollback',
    async arm({ rig, match }) {
      await rig.control.addFault({ ...match, status: 400 });
      const { requestId = '' } = match;
      const hold = await rig.control.hold('after', { requestId, method: 'DELETE' });
      return async (job) => {
        await waitUntilHeld(hold, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
      };
    },
    appliesTo: ({ isCancellable }, { isCommitted, hasRollback }) =>
      isCancellable && hasRollback && !isCommitted,
    allows: () => ['failed'],
  },
  {
    name: 'cancelled',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        await cancel(rig, job);
        await hold.release();
      };
    },
    allows: mustStopIfPossible,
  },
  {
    name: 'cancelled and worker killed',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        await cancel(rig, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
      };
    },
    appliesTo: ({ runsSlowFaults, isCancellable }) => runsSlowFaults && isCancellable,
    allows: mustStopIfPossible,
  },
  sessionEnds('logged out', ({ rig }) => rig.logOut()),
  {
    ...sessionEnds('logged out and worker killed', async ({ rig }, { jobId }) => {
      await rig.logOut();
      await rig.killAndRestart(await rig.workerOf(jobId));
    }),
    appliesTo: ({ runsSlowFaults }) => runsSlowFaults,
  },
  {
    ...sessionEnds('logged out and cancelled', async ({ rig }, job) => {
      await rig.logOut();
      await cancel(rig, job);
    }),
    appliesTo: ({ isCancellable }, { isCommitted, hasRollback }) =>
      isCancellable && hasRollback && !isCommitted,
    allows: mustStopIfPossible,
  },
  {
    ...sessionEnds('password changed', ({ rig }) => rig.changePassword()),
    appliesTo: (_kind, { isRead }) => isRead !== true,
  },
];

/** The call whose refusal reverts what the job has changed. */
function refusalOf({ entries, revertsAt = '' }: Kind): Matcher {
  const entry = entries[revertsAt];
  const [act] = typeof entry === 'object' ? entry : [];
  return { service: act?.service, operation: act?.operation };
}

/** The session that started the job ends in the middle of a step. */
function sessionEnds(name: string, end: (site: Site, job: FaultedJob) => Promise<void>): Fault {
  return {
    name,
    async arm(site) {
      const hold = await site.rig.control.hold('after', site.match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        await end(site, job);
        await hold.release();
      };
    },
    allows: mustComplete,
  };
}

/** Requests the cancellation; 409 means that the job can no longer be cancelled. */
export async function cancel(rig: Rig, { jobId }: StartedJob): Promise<void> {
  const { status, text } = await rig.gateway().request('POST', `/api/jobs/${jobId}/cancel`);
  if (status !== 202 && status !== 409) throw new Error(`The cancel was answered ${status}: ${text}`);
}

export function workerKilled(name: string, point: HoldPoint): Fault {
  return {
    name,
    async arm({ rig, match }) {
      const hold = await rig.control.hold(point, match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
      };
    },
    // No call follows the last call.
    appliesTo: (_kind, { isLast }) => point !== 'next' || !isLast,
    allows: mustComplete,
  };
}

/**
 * The store comes back as it was during the call, when the job has ended since. The job runs again from
 * there, and makes nothing twice. If it cannot complete again, it says that it has ended before, and leaves
 * everything.
 *
 * @param afterMs how much the store loses at least, in ms
 */
function storeSetBack(name: string, afterMs: number): Fault {
  return {
    name,
    isSetBack: true,
    async arm({ rig, match }) {
      const before = await rig.control.rights();
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await waitUntilHeld(hold, job);
        const { redis } = rig.stack;
        if (redis === null) throw new Error('There is no Redis to set back.');
        const copy = await copyStore(redis);
        await hold.release();
        await Promise.all([job.ended.then(() => untilReleased(rig, job, before)), pause(afterMs)]);
        await rig.setBack(copy);
        copy.remove();
      };
    },
    allows: mayFail,
  };
}

/** Waits until the job's own rights are revoked. A failed job may keep them for its sweeps. */
async function untilReleased(rig: Rig, { jobId }: StartedJob, before: Inventory): Promise<void> {
  const { status } = await rig.readJob(jobId);
  await eventually(async () => {
    if (status !== 'completed' && (await rig.stored.sweptJobs()) > 0) return true;
    const rights = await rig.control.rights();
    return [...rights].every(([kind, ids]) => ids.isSubsetOf(before.get(kind) ?? new Set()));
  });
}

/**
 * The service performs a call long after its sender was killed, after the next run has not found its result.
 */
function lateCall(name: string, afterMs: number): Fault {
  return {
    name,
    arm: lateUntil(async ({ rig, match }, job) => {
      await rig.killAndRestart(await rig.workerOf(job.jobId));
      await waitForRecheck(rig, match, job);
      await pause(afterMs);
    }),
    appliesTo: (_kind, { isRead }) => isRead !== true,
    allows: mustComplete,
    isLate: true,
  };
}

/** The service performs the call once `act` is over, whether its sender still waits for it or not. */
function lateUntil(act: (site: Site, job: FaultedJob) => Promise<void>): Fault['arm'] {
  return async (site) => {
    const hold = await site.rig.control.hold('late', site.match);
    return async (job) => {
      await waitUntilHeld(hold, job);
      await act(site, job);
      await hold.release();
    };
  };
}

/** Waits until a later run of the job has read from the cloud, or the job has ended. */
async function waitForRecheck(rig: Rig, { requestId }: Matcher, { ended }: FaultedJob): Promise<void> {
  const reads = async () =>
    (await rig.control.calls(requestId)).filter(({ method, performed }) => method === 'GET' && performed)
      .length;
  const before = await reads();
  await Promise.race([eventually(async () => (await reads()) > before, RECHECK_TIMEOUT_MS), ended]);
}

function serviceFault(name: string, spec: FaultSpec, allows: Fault['allows']): Fault {
  return {
    name,
    async arm({ rig, match }) {
      await rig.control.addFault({ ...match, ...spec });
      return async ({ ended }) => {
        await ended;
        if (!(await isMet(rig, match))) throw new NotReachedError();
      };
    },
    allows,
  };
}

/** Waits until the job has made the call, which may still be in progress. */
async function waitUntilMet(rig: Rig, match: Matcher, { ended }: FaultedJob): Promise<void> {
  await Promise.race([eventually(async () => await isMet(rig, match)), ended]);
  if (!(await isMet(rig, match))) throw new NotReachedError();
}

export async function isMet(rig: Rig, { requestId, service, operation, nth = 1 }: Matcher): Promise<boolean> {
  const calls = await rig.control.calls(requestId);
  return calls.filter((call) => call.service === service && call.operation === operation).length >= nth;
}
