import type { FaultSpec } from '../support/clients/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { type End, type Fault, type FaultedJob, NotReachedError, type Site } from './fault.ts';
import { isMet } from './faults.ts';

const ENDS = { ends: 'completed', waits: 'completed', fails: 'failed' } as const;
const TIMEOUT_MS = 120_000;
/** For what the services complete after the job. */
const SETTLE_MS = 2_000;

interface ShownJob {
  status: string;
  message: string;
  error: string | null;
  leftovers: { type: string; id: string }[];
}

/** Faults of a list that fails until the fault is removed, long after the job could have ended. */
export const listFaults: readonly Fault[] = [
  failingList('list fails for good', { status: 500 }),
  // The user lacks a role for the service. A job that would wait for the service ends at once.
  {
    ...failingList('list is refused for good', { status: 403 }),
    appliesTo: (_kind, { list }) => list?.meanwhile === 'ends',
  },
];

function failingList(name: string, spec: FaultSpec): Fault {
  return {
    name,
    isOfList: true,
    async arm(site) {
      const { rig, match } = site;
      const before = await rig.inventory();
      await rig.control.addFault({ ...match, ...spec, times: 0 });
      return async (job) => {
        const flaws = await flawsMeanwhile(site, job, before);
        if (!(await isMet(rig, match))) throw new NotReachedError();
        job.flaws.push(...flaws);
        await rig.control.clear();
        await job.ended;
        // The sweeps remove what the list has hidden.
        await eventually(async () => (await show(site, job)).leftovers.length === 0, TIMEOUT_MS);
      };
    },
    allows: ({ place }): readonly End[] => (place.list === undefined ? [] : [ENDS[place.list.meanwhile]]),
  };
}

/** What is wrong while the list fails. */
async function flawsMeanwhile(
  site: Site,
  job: FaultedJob,
  before: Awaited<ReturnType<Site['rig']['inventory']>>,
): Promise<string[]> {
  const { kind, place, rig } = site;
  const { hides = [], meanwhile } = place.list ?? { meanwhile: 'ends' };
  if (meanwhile === 'waits') {
    await eventually(async () => /waits for the/.test((await show(site, job)).message), TIMEOUT_MS);
    const { status } = await show(site, job);
    return status === 'running' || status === 'queued' ? [] : [`the waiting job is ${status}`];
  }
  await job.ended;
  const { error, leftovers } = await show(site, job);
  if (meanwhile === 'fails') return error === null ? ['the job has not failed'] : [];
  const left = await rig.differencesFrom(before, kind.completed, SETTLE_MS);
  const notHidden = left.filter((line) => !hides.some((hidden) => line.startsWith(`${hidden} `)));
  const isSaid = leftovers.some(({ id }) => id === '');
  return [
    ...notHidden.map((line) => `while the list failed: ${line}`),
    ...(isSaid ? [] : ['no leftover says that the list failed']),
    ...(hides.length > 0 && left.length === 0 ? ['the list has hidden nothing'] : []),
  ];
}

function show({ rig }: Site, { jobId }: FaultedJob): Promise<ShownJob> {
  return rig.gateway().read<ShownJob>(`/api/jobs/${jobId}`);
}
