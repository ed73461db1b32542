import { type QueuedJob, queuePrefix } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import { Queue, Worker } from 'bullmq';
import { type Stack, startStack } from '../../../../scripts/stack.ts';
import { eventually } from '../../../support/eventually.ts';
import { median, type Row } from '../../row.ts';
import { KEY_PREFIX, openStore } from './open-store.ts';
import { commands } from './redis-figures.ts';
import { WaitingJobs } from './waiting-jobs.ts';

const PROJECTS = [1, 50, 500];
const JOBS = 2_000;
/** The default of `jobs.concurrency.cleanup`. */
const SLOTS = 10;
const END_MS = 300_000;
const MAX_COMMANDS = 120;
/** The most commands against the fewest, by the number of projects. */
const MAX_SPREAD = 1.1;
const MIN_RATIO = 0.05;

interface Figures {
  perSecond: number;
  commandsPerJob: number;
}

/** What jobs that do nothing cost, in one worker with ten slots, by how many projects wait. */
export async function queue(): Promise<Row[]> {
  const figures: Figures[] = [];
  let bare: Figures | undefined;
  for (const projects of PROJECTS) {
    const stack = await startStack({ workers: 0, discardLogs: true });
    const { redis, queues, close } = await openStore(stack);
    try {
      bare ??= await bareJobs(redis);
      figures.push(await idleJobs(stack, redis, new WaitingJobs(redis, queues), projects));
    } finally {
      await close();
      await stack.stop();
    }
  }
  if (bare === undefined) throw new Error('Nothing was measured.');
  return [
    ...figures.map((found, index) => commandsRow(found, bare, PROJECTS[index])),
    rateRow(figures, bare),
  ];
}

function commandsRow({ commandsPerJob }: Figures, bare: Figures, projects = 0): Row {
  return {
    name: `commands of Redis, ${projects} waiting projects`,
    unit: 'per job',
    gateway: commandsPerJob,
    floor: bare.commandsPerJob,
    result: commandsPerJob,
    resultUnit: 'per job',
    budget: `<= ${MAX_COMMANDS}`,
    met: commandsPerJob <= MAX_COMMANDS,
  };
}

function rateRow(figures: readonly Figures[], bare: Figures): Row {
  const rate = median(figures.map(({ perSecond }) => perSecond));
  const counts = figures.map(({ commandsPerJob }) => commandsPerJob);
  const spread = Math.max(...counts) / Math.min(...counts);
  const rates = figures.map(({ perSecond }) => Math.round(perSecond)).join(', ');
  return {
    name: 'jobs that do nothing, ten slots',
    unit: 'jobs/s',
    gateway: rate,
    floor: bare.perSecond,
    result: rate / bare.perSecond,
    resultUnit: 'of bare BullMQ',
    budget: `>= ${MIN_RATIO}`,
    met: rate / bare.perSecond >= MIN_RATIO && spread <= MAX_SPREAD,
    note: `${rates}/s with ${PROJECTS.join(', ')} projects, whose commands differ by ${spread.toFixed(2)} (<= ${MAX_SPREAD})`,
  };
}

async function idleJobs(
  stack: Stack,
  redis: RedisConnections,
  jobs: WaitingJobs,
  projects: number,
): Promise<Figures> {
  await jobs.addAll(JOBS, projects);
  const before = await commands(redis);
  await stack.addWorker();
  return measure(redis, before, () => jobs.countEnded(), JOBS);
}

/** The same number of jobs with priorities, and a worker that does nothing. */
async function bareJobs(redis: RedisConnections): Promise<Figures> {
  const options = { connection: redis.queue, prefix: queuePrefix(KEY_PREFIX, 'cleanup') };
  const bare = new Queue<Partial<QueuedJob>>('bare', options);
  const defaults = { removeOnComplete: 1000, priority: 1 };
  const all = Array.from({ length: JOBS }, (_, index) => ({
    name: 'nothing',
    data: {},
    opts: { ...defaults, priority: 1 + (index % 50) },
  }));
  await bare.addBulk(all);
  const before = await commands(redis);
  let ended = 0;
  const worker = new Worker('bare', async () => {}, { ...options, concurrency: SLOTS });
  worker.on('completed', () => {
    ended += 1;
  });
  try {
    return await measure(redis, before, async () => ended, JOBS);
  } finally {
    await worker.close();
    await bare.close();
  }
}

/** Counts from the first end, so that the start of a process does not count. */
async function measure(
  redis: RedisConnections,
  commandsBefore: number,
  countEnded: () => Promise<number>,
  count: number,
): Promise<Figures> {
  await eventually(async () => (await countEnded()) > 0, END_MS);
  const [first, at] = [await countEnded(), performance.now()];
  await eventually(async () => (await countEnded()) >= count, END_MS);
  return {
    perSecond: ((count - first) * 1000) / (performance.now() - at),
    commandsPerJob: ((await commands(redis)) - commandsBefore) / count,
  };
}
