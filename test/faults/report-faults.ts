import type { HeldReport, ReportAnswer } from '../support/doubles/report-gate.ts';
import { type End, type Fault, type FaultedJob, NotReachedError, type Site, waitUntilHeld } from './fault.ts';
import { cancel } from './faults.ts';

const REPORT_TIMEOUT_MS = 60_000;

/** Records an unexpected response. */
type Expect = (what: string, answer: ReportAnswer | null, status: number) => void;

const completes = (): readonly End[] => ['completed'];
const fails = (): readonly End[] => ['failed'];

/** Faults of the report with which a machine ends its installation. */
export const reportFaults: readonly Fault[] = [
  heldReport('report twice', completes, async ({ report, expect }) => {
    const first = await report.deliver();
    expect('the report', first, 200);
    expect('the same report again', await report.deliver(), 200);
    expect('another report', await report.deliver({ server_ip: '127.9.9.9' }), 403);
    report.answer(first);
  }),
  heldReport('report with a wrong token first', completes, async ({ report, expect }) => {
    const token = `${String(report.body.token)}x`;
    expect('a report with a wrong token', await report.deliver({ token }), 403);
    report.answer(await report.deliver());
  }),
  heldReport('malformed report first', completes, async ({ report, expect }) => {
    expect('a report without an address', await report.deliver({ server_ip: undefined }), 400);
    expect('a report of another file', await report.deliver({ kubeconfig: 'kind: Config' }), 400);
    report.answer(await report.deliver());
  }),
  heldReport('api killed before the report', completes, async ({ report, site }) => {
    await killApi(site);
    report.answer(null);
  }),
  heldReport('api killed during the report', completes, async ({ report, site }) => {
    const { redis } = site.rig.stack;
    await redis?.kill('SIGSTOP');
    const answer = report.deliver();
    await killApi(site);
    await answer;
    await redis?.kill('SIGCONT');
    report.answer(null);
  }),
  heldReport('api killed after the report', completes, async ({ report, site, expect }) => {
    expect('the report', await report.deliver(), 200);
    await killApi(site);
    report.answer(null);
  }),
  heldReport('redis killed after the report', completes, async ({ report, site, expect }) => {
    const answer = await report.deliver();
    expect('the report', answer, 200);
    const { redis } = site.rig.stack;
    await redis?.kill('SIGKILL');
    await redis?.restart();
    report.answer(answer);
  }),
  heldReport('report while all workers are down', completes, async ({ report, site, expect }) => {
    const { workers } = site.rig.stack;
    await Promise.all(workers.map((worker) => worker.kill('SIGKILL')));
    const answer = await report.deliver();
    expect('the report', answer, 200);
    report.answer(answer);
    await Promise.all(workers.map((worker) => worker.restart()));
  }),
  takenUp('worker killed before it stores the report', 'before'),
  takenUp('worker killed after it has read the report', 'after'),
  heldReport(
    'cancelled before the report',
    () => ['cancelled'],
    async ({ report, site, job, expect }) => {
      await cancel(site.rig, job);
      await job.ended;
      const answer = await report.deliver();
      expect('a report after the cancellation', answer, 403);
      report.answer(answer);
    },
  ),
  heldReport('report after the time limit', fails, async ({ report, site, job, expect }) => {
    // The machine does not wait this long for a response, and retries.
    void site.rig.reports.hold();
    await job.ended;
    const answer = await report.deliver();
    expect('a report after the end', answer, 403);
    report.answer(answer);
  }),
  machine('no report', { clusterOutcome: 'silent' }, fails, async ({ ended }) => void (await ended)),
  machine('report of a failure', { clusterOutcome: 'fails' }, fails, async ({ ended }) => void (await ended)),
  machine(
    'report of a failure, worker killed in the rollback',
    { clusterOutcome: 'fails' },
    fails,
    killRollback,
  ),
  machine('report of failed plugins', { failedPlugins: ['block_csi'] }, completes, async ({ ended }) => {
    await ended;
  }),
];

interface Struck {
  site: Site;
  job: FaultedJob;
  report: HeldReport;
  expect: Expect;
}

/** Strikes when the report has come to the gate. */
function heldReport(
  name: string,
  allows: () => readonly End[],
  act: (struck: Struck) => Promise<void>,
): Fault {
  return {
    name,
    async arm(site) {
      const held = site.rig.reports.hold();
      return async (job) => {
        const report = await Promise.race([held, job.ended.then(() => null), timeout()]);
        if (report === null) throw new NotReachedError();
        const expect: Expect = (what, answer, status) => {
          if (answer?.status !== status) job.flaws.push(`${what} was answered ${answer?.status}`);
        };
        await act({ site, job, report, expect });
      };
    },
    allows,
    isOfReport: true,
  };
}

/** The first call after the report reads the floating IP. */
function takenUp(name: string, point: 'before' | 'after'): Fault {
  return heldReport(name, completes, async ({ report, site, job, expect }) => {
    const { requestId } = site.match;
    const hold = await site.rig.control.hold(point, { requestId, operation: 'floating_ips.get' });
    const answer = await report.deliver();
    expect('the report', answer, 200);
    report.answer(answer);
    await waitUntilHeld(hold, job);
    await site.rig.killAndRestart(await site.rig.workerOf(job.jobId));
  });
}

type Guest = NonNullable<Parameters<Site['rig']['control']['set']>[0]['guest']>;

/** The machine itself behaves in another way. */
function machine(
  name: string,
  guest: Guest,
  allows: () => readonly End[],
  strike: (job: FaultedJob, site: Site) => Promise<void>,
): Fault {
  return {
    name,
    async arm(site) {
      await site.rig.control.set({ guest });
      return (job) => strike(job, site);
    },
    allows,
    isOfReport: true,
  };
}

async function killRollback(job: FaultedJob, { rig, match }: Site): Promise<void> {
  const hold = await rig.control.hold('after', { requestId: match.requestId, method: 'DELETE' });
  await waitUntilHeld(hold, job);
  await rig.killAndRestart(await rig.workerOf(job.jobId));
}

/** Reports go to the first running api. */
async function killApi({ rig }: Site): Promise<void> {
  const [api] = rig.stack.apis;
  if (api !== undefined) await rig.killAndRestart(api);
}

function timeout(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, REPORT_TIMEOUT_MS, null).unref());
}
