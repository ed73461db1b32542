import { openRedis } from '@gateway/store';
import { defineStep, RedisJournal, runSaga, type Step } from '../../../apps/worker/src/saga/index.ts';
import { startRedis } from '../../../scripts/redis.ts';
import { createClaimedJob } from '../claimed-job.ts';
import { median, type Row } from '../row.ts';

/** The approximate number of steps of a creation. */
const STEPS = 10;
const ROUNDS = 100;
const BUDGET_MS = 1;
/** Round trips outside of the steps: this query, the job record, the claim, and reading the journal. */
const OTHER_ROUND_TRIPS = 4;

interface State {
  made: string;
}

interface Context {
  act(): Promise<State>;
}

/**
 * The cost per step of surviving crashes: a saga of trivial steps with progress updates, against the same
 * steps without a journal.
 */
export async function journal(): Promise<Row> {
  const server = await startRedis();
  const { url } = server;
  const redis = openRedis({ url, cacheUrl: url, keyPrefix: 'bench-journal:' }, 'wait');
  const context: Context = {
    act: () => new Promise((resolve) => setImmediate(() => resolve({ made: 'something' }))),
  };
  const steps = Array.from({ length: STEPS }, (_, number) => announcedStep(`step-${number}`));

  async function withJournal(): Promise<number> {
    const log = await createClaimedJob(redis.store, 'bench');
    const started = performance.now();
    const outcome = await runSaga({
      steps,
      context,
      journal: new RedisJournal(redis.store, log),
      toMessage: (update) => update,
      cancelled: new AbortController().signal,
      stopping: new AbortController().signal,
      retryTimeoutMs: 0,
      undoTimeoutMs: 0,
      lateCallMs: 0,
    });
    const took = performance.now() - started;
    if (outcome.kind !== 'completed') throw new Error('A saga of the measurement failed.');
    return took / STEPS;
  }

  async function without(): Promise<number> {
    const started = performance.now();
    for (let step = 0; step < STEPS; step += 1) await context.act();
    return (performance.now() - started) / STEPS;
  }

  /** The number of reads from client connections, which equals the number of round trips. */
  async function requestsRead(): Promise<number> {
    return Number(/total_reads_processed:(\d+)/.exec(await redis.queue.info('stats'))?.[1]);
  }

  try {
    const ours: number[] = [];
    const bare: number[] = [];
    let roundTrips = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await without());
      const before = await requestsRead();
      ours.push(await withJournal());
      roundTrips = (await requestsRead()) - before - OTHER_ROUND_TRIPS;
    }
    const added = median(ours) - median(bare);
    return {
      name: `journal of a saga of ${STEPS} steps`,
      unit: 'ms per step',
      gateway: median(ours),
      floor: median(bare),
      result: added,
      resultUnit: 'ms added',
      budget: `<= ${BUDGET_MS} ms`,
      met: added <= BUDGET_MS,
      note: `${(roundTrips / STEPS).toFixed(1)} round trips to Redis per step`,
    };
  } finally {
    await redis.close();
    await server.stop();
  }
}

function announcedStep(name: string): Step<Context, State> {
  return defineStep<Context, State>()({
    name,
    beginUpdate: { step: name, progress: 50, message: `The ${name} is being made.` },
    run: ({ act }) => act(),
  });
}
