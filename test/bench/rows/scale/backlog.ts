import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { CredentialStore, type JobOwner, jobKeys, Producer, Queues } from '@gateway/jobs';
import { openRedis, type RedisConnections } from '@gateway/redis';
import { type Stack, startStack } from '../../../../scripts/stack.ts';
import { eventually } from '../../../support/eventually.ts';
import { GatewayClient } from '../../../support/gateway-client.ts';
import { testLogin } from '../../../support/test-stack.ts';
import { median, type Row } from '../../row.ts';

const PROJECTS = 500;
const WAITING = 10_000;
const HISTORY = 20_000;
/** Jobs that are served before the first job of another project: one of each project, and those that run already. */
const LATE_BUDGET = PROJECTS + 20;
/** Reads of each page, of which the median counts. */
const READS = 20;
const KEY_PREFIX = 'gateway:';
const DRAIN_MS = 1_800_000;

/** What many waiting jobs and a long history cost: jobs that do nothing, because their cluster does not exist. */
export async function backlog(): Promise<Row[]> {
  const stack = await startStack({ workers: 0, discardLogs: true, config: { rate_limits: { login: 0 } } });
  const redis = openRedis({ url: stack.redisUrl, cacheUrl: stack.redisUrl, keyPrefix: KEY_PREFIX }, 'wait');
  const queues = new Queues(redis.queue, KEY_PREFIX);
  try {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const jobs = new Jobs(redis, queues);
    const emptyBytes = await usedBytes(redis);
    await jobs.add(WAITING, (index) => `project-${index % PROJECTS}`);
    const waitingBytes = (await usedBytes(redis)) - emptyBytes;

    const commandsBefore = await commands(redis);
    const started = performance.now();
    await stack.addWorker();
    // Its first job comes after ten thousand others.
    const lateId = await jobs.addOne('late');
    const servedBefore = await jobs.ended();
    await jobs.untilEnded([lateId]);
    const servedMeanwhile = (await jobs.ended()) - servedBefore;
    await jobs.untilEnded();
    const seconds = (performance.now() - started) / 1000;
    const commandsPerJob = ((await commands(redis)) - commandsBefore) / WAITING;

    await jobs.add(HISTORY - WAITING, (index) =>
      index % 20 === 0 ? gateway.projectId : `project-${index % PROJECTS}`,
    );
    await jobs.untilEnded();
    const historyBytes = (await usedBytes(redis)) - emptyBytes;
    return [
      figure('a waiting job', 'bytes', waitingBytes / WAITING, `${WAITING} jobs of ${PROJECTS} projects`),
      figure('an ended job', 'bytes', historyBytes / HISTORY, `${HISTORY} jobs in the history`),
      figure('jobs that do nothing', 'jobs/s', WAITING / seconds, 'with one worker'),
      figure('commands to Redis', 'per job', commandsPerJob),
      {
        ...figure('the first job of another project', 'jobs before it', servedMeanwhile),
        budget: `<= ${LATE_BUDGET}`,
        met: servedMeanwhile <= LATE_BUDGET,
        note: `behind ${WAITING} waiting jobs`,
      },
      ...(await readTimes(stack, gateway)),
    ];
  } finally {
    await queues.close();
    await redis.close();
    await stack.stop();
  }
}

/** A measurement without a budget. */
function figure(name: string, unit: string, value: number, note?: string): Row {
  return {
    name,
    unit,
    gateway: value,
    floor: null,
    result: value,
    resultUnit: unit,
    budget: '',
    met: true,
    ...(note !== undefined && { note }),
  };
}

class Jobs {
  readonly #producer: Producer<JobOwner>;
  readonly #redis: RedisConnections;
  readonly #ids: string[] = [];
  #firstOpen = 0;

  constructor(redis: RedisConnections, queues: Queues) {
    this.#redis = redis;
    const sealer = new Sealer([{ id: 'bench', key: randomBytes(32) }]);
    const credentials = new CredentialStore<JobOwner>(redis.store, sealer);
    this.#producer = new Producer(redis.store, queues, credentials, { waitingLimit: 0 });
  }

  async add(count: number, projectOf: (index: number) => string): Promise<void> {
    const batch = 200;
    for (let from = 0; from < count; from += batch) {
      const indexes = Array.from({ length: Math.min(batch, count - from) }, (_, index) => from + index);
      this.#ids.push(...(await Promise.all(indexes.map((index) => this.addOne(projectOf(index))))));
    }
  }

  addOne(projectId: string): Promise<string> {
    return this.#producer.enqueueWithoutCredential(
      { type: 'lite.delete', payload: { clusterId: newId() }, requestId: 'bench' },
      { projectId, userId: 'bench' },
    );
  }

  async ended(ids: readonly string[] = this.#ids): Promise<number> {
    const statuses = await Promise.all(ids.map((id) => this.#redis.store.hget(jobKeys.record(id), 'status')));
    return statuses.filter((status) => status === 'completed').length;
  }

  /** Waits until these have ended, or all. */
  async untilEnded(ids?: readonly string[]): Promise<void> {
    await eventually(async () => {
      const open = ids ?? this.#ids.slice(this.#firstOpen, this.#firstOpen + 200);
      if ((await this.ended(open)) < open.length) return undefined;
      if (ids === undefined) this.#firstOpen += open.length;
      return ids !== undefined || this.#firstOpen >= this.#ids.length || undefined;
    }, DRAIN_MS);
  }
}

async function usedBytes({ store }: RedisConnections): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await store.info('memory'))?.[1]);
}

async function commands({ store }: RedisConnections): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await store.info('stats'))?.[1]);
}

/** The times of reads that could depend on the number of jobs. */
async function readTimes(stack: Stack, gateway: GatewayClient): Promise<Row[]> {
  const paths = {
    'a page of jobs': () => gateway.request('GET', '/api/jobs?limit=50'),
    'a page of jobs of one type': () => gateway.request('GET', '/api/jobs?limit=50&type=instance.create'),
    'the metrics of the api': () => fetch(`${stack.url}/api/metrics`).then((answer) => answer.text()),
    'the metrics of a worker': () =>
      fetch(`${stack.workers[0]?.url}/metrics`).then((answer) => answer.text()),
  };
  const rows: Row[] = [];
  for (const [name, read] of Object.entries(paths)) {
    const times: number[] = [];
    for (let count = 0; count < READS; count += 1) {
      const started = performance.now();
      await read();
      times.push(performance.now() - started);
    }
    rows.push(figure(name, 'ms', median(times), `${HISTORY} jobs in the history`));
  }
  return rows;
}
