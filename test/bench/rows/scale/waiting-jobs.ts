import type { RedisConnections } from '@gateway/store';
import { type Stack, startStack } from '../../../../scripts/stack.ts';
import { eventually } from '../../../support/eventually.ts';
import { cpuSeconds } from '../../process-time.ts';
import { type Row, rowWithoutBudget } from '../../row.ts';
import { openStore } from '../queue/open-store.ts';
import { commands, usedBytes } from '../queue/redis-figures.ts';
import { WaitingJobs } from '../queue/waiting-jobs.ts';
import { maintenanceRound } from './maintenance.ts';

const PROJECTS = 500;
const WAITING = 10_000;
/** The number of jobs whose rate is measured, while nearly all others wait. */
const MEASURED = 2_000;
/**
 * The maximum number of jobs before the first job of another project: two rounds, and those already running.
 */
const LATE_BUDGET = 2 * PROJECTS + 20;
const DRAIN_MS = 300_000;

/** What many waiting jobs cost: jobs that do nothing, because their cluster does not exist. */
export async function waitingJobs(): Promise<Row[]> {
  const stack = await startStack({ workers: 0, discardLogs: true });
  const store = await openStore(stack);
  const { redis, queues } = store;
  try {
    const jobs = new WaitingJobs(redis, queues);
    const emptyBytes = await usedBytes(redis);
    await jobs.addAll(WAITING, PROJECTS);
    const bytes = ((await usedBytes(redis)) - emptyBytes) / WAITING;
    return [
      rowWithoutBudget('a waiting job', 'bytes', bytes, `${WAITING} jobs of ${PROJECTS} projects`),
      await maintenanceRound(redis, queues, `${WAITING} waiting jobs`),
      ...(await runSome(stack, redis, jobs)),
    ];
  } finally {
    await store.close();
    await stack.stop();
  }
}

/** Runs some of the jobs, and a job of another project that comes last. */
async function runSome(stack: Stack, redis: RedisConnections, jobs: WaitingJobs): Promise<Row[]> {
  const worker = await stack.addWorker();
  const pids = { worker: worker.pid, redis: stack.redis?.pid ?? 0 };
  const lateId = await jobs.add('late');
  const measure = async () => ({
    ended: await jobs.countEnded(),
    at: performance.now(),
    commands: await commands(redis),
    worker: cpuSeconds(pids.worker),
    redis: cpuSeconds(pids.redis),
  });
  const before = await measure();
  await eventually(async () => (await jobs.countEnded()) >= before.ended + MEASURED, DRAIN_MS);
  const after = await measure();
  const count = after.ended - before.ended;
  const perJobMs = (of: 'worker' | 'redis') => (((after[of] - before[of]) * 1000) / count).toFixed(1);
  const late = await jobs.times(lateId);
  if (late === null) throw new Error('The job of the other project has not ended.');
  const servedBefore = await jobs.countEndedBetween(late.createdAt, late.endedAt);
  return [
    rowWithoutBudget(
      'jobs that do nothing',
      'jobs/s',
      (count * 1000) / (after.at - before.at),
      `the first ${count}, one worker; per job ${perJobMs('worker')} ms of its processor, ${perJobMs('redis')} ms of Redis`,
    ),
    rowWithoutBudget('commands to Redis', 'per job', (after.commands - before.commands) / count),
    {
      ...rowWithoutBudget('the first job of another project', 'jobs before it', servedBefore),
      budget: `<= ${LATE_BUDGET}`,
      met: servedBefore <= LATE_BUDGET,
      note: `behind ${WAITING} waiting jobs, after ${late.endedAt - late.createdAt} ms`,
    },
  ];
}
