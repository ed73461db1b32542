import { setTimeout as pause } from 'node:timers/promises';
import type { CallMatch, FaultSpec, HoldPoint } from '../support/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { type End, type Fault, NotReachedError, type Site, type StruckJob, untilHeld } from './fault.ts';
import type { Rig, StartedJob } from './rig.ts';

const TO_LOOK_MS = 30_000;

const mustComplete = (): readonly End[] => ['completed'];
const mayFail = (): readonly End[] => ['completed', 'failed'];

/** A service that breaks is adopted from when it has acted; what was only asked may be given up. */
function completesWhereItActs({ place }: Site): readonly End[] {
  return place.isRead ? mayFail() : mustComplete();
}

function stopsIfItCan({ kind, place }: Site): readonly End[] {
  return kind.turnsBack && !place.isCommitted ? ['cancelled'] : ['completed', 'cancelled'];
}

export const faults: readonly Fault[] = [
  workerKilled('worker killed before the act', 'before'),
  workerKilled('worker killed after the act', 'after'),
  workerKilled('worker killed after the journal', 'next'),
  {
    name: 'api killed',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await untilHeld(hold, job);
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
        await untilHeld(hold, job);
        const { redis } = rig.stack;
        if (redis === null) throw new Error('There is no Redis to kill.');
        await redis.kill('SIGKILL');
        await hold.release();
        await redis.restart();
      };
    },
    allows: mustComplete,
  },
  lateCall('late call, 1 s after the look', 1_000),
  lateCall('late call, 60 s after the look', 60_000),
  {
    name: 'late call after the cancellation',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('late', match);
      return async (job) => {
        await untilHeld(hold, job);
        await cancel(rig, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
        await job.ended;
        await hold.release();
      };
    },
    appliesTo: ({ turnsBack }, { isCommitted, isRead }) => turnsBack && !isCommitted && isRead !== true,
    allows: stopsIfItCan,
  },
  {
    name: 'no answer, late call after the end',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('late', match);
      return async (job) => {
        await untilHeld(hold, job);
        await job.ended;
        await hold.release();
      };
    },
    appliesTo: ({ isThorough }, { isRead }) => isThorough && isRead !== true,
    allows: mayFail,
  },
  misbehaving('500 after the act', { status: 500, after: true }, completesWhereItActs),
  misbehaving('no answer after the act', { hang: true, after: true }, mayFail),
  misbehaving('no answer and no act', { hang: true }, mayFail),
  misbehaving('connection reset after the act', { drop: true, after: true }, mustComplete),
  {
    name: 'worker frozen after the act',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await untilHeld(hold, job);
        const worker = await rig.workerOf(job.jobId);
        await worker.kill('SIGSTOP');
        await job.ended;
        // It wakes up to a job that somebody else has finished.
        await worker.kill('SIGCONT');
        await hold.release();
        await rig.untilHealthy(worker);
      };
    },
    appliesTo: ({ isThorough }, { isRead }) => isThorough && isRead !== true,
    allows: mustComplete,
  },
  {
    name: 'worker killed while it takes back',
    async arm({ rig, match }) {
      await rig.control.addFault({ ...match, status: 400 });
      const { requestId = '' } = match;
      const hold = await rig.control.hold('after', { requestId, method: 'DELETE' });
      return async (job) => {
        await untilHeld(hold, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
      };
    },
    appliesTo: ({ turnsBack }, { isCommitted, takesBack }) => turnsBack && takesBack && !isCommitted,
    allows: () => ['failed'],
  },
  {
    name: 'cancelled',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await untilHeld(hold, job);
        await cancel(rig, job);
        await hold.release();
      };
    },
    allows: stopsIfItCan,
  },
  {
    name: 'cancelled and worker killed',
    async arm({ rig, match }) {
      const hold = await rig.control.hold('after', match);
      return async (job) => {
        await untilHeld(hold, job);
        await cancel(rig, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
      };
    },
    appliesTo: ({ isThorough, turnsBack }) => isThorough && turnsBack,
    allows: stopsIfItCan,
  },
];

/** A job that can not be stopped any more says so with 409. */
async function cancel(rig: Rig, { jobId }: StartedJob): Promise<void> {
  const { status, text } = await rig.gateway().request('POST', `/api/jobs/${jobId}/cancel`);
  if (status !== 202 && status !== 409) throw new Error(`The cancel was answered ${status}: ${text}`);
}

export function workerKilled(name: string, point: HoldPoint): Fault {
  return {
    name,
    async arm({ rig, match }) {
      const hold = await rig.control.hold(point, match);
      return async (job) => {
        await untilHeld(hold, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
      };
    },
    // After the last act there is nothing more to be asked.
    appliesTo: (_kind, { isLast }) => point !== 'next' || !isLast,
    allows: mustComplete,
  };
}

/** The service performs a call long after its sender was killed, when the next run has found nothing of it. */
function lateCall(name: string, afterMs: number): Fault {
  return {
    name,
    async arm({ rig, match }) {
      const hold = await rig.control.hold('late', match);
      return async (job) => {
        await untilHeld(hold, job);
        await rig.killAndRestart(await rig.workerOf(job.jobId));
        await untilLookedFor(rig, match, job);
        await pause(afterMs);
        await hold.release();
      };
    },
    appliesTo: (_kind, { isRead }) => isRead !== true,
    allows: mustComplete,
    isLate: true,
  };
}

/** A later run of the job has read what there is, or has ended the job. */
async function untilLookedFor(rig: Rig, { requestId }: CallMatch, { ended }: StruckJob): Promise<void> {
  const reads = async () =>
    (await rig.control.calls(requestId)).filter(({ method, performed }) => method === 'GET' && performed)
      .length;
  const before = await reads();
  await Promise.race([
    eventually(async () => ((await reads()) > before ? true : undefined), TO_LOOK_MS),
    ended,
  ]);
}

function misbehaving(name: string, spec: FaultSpec, allows: Fault['allows']): Fault {
  return {
    name,
    async arm({ rig, match }) {
      await rig.control.addFault({ ...match, ...spec });
      return async ({ ended }) => {
        await ended;
        const met = await rig.control.calls(match.requestId);
        const { service, operation, nth = 1 } = match;
        const count = met.filter((call) => call.service === service && call.operation === operation).length;
        if (count < nth) throw new NotReachedError();
      };
    },
    allows,
  };
}
