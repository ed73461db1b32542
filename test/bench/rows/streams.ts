import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jobKeys } from '@gateway/jobs';
import { Redis } from 'ioredis';
import { startServer } from '../../../scripts/server-process.ts';
import { type Stack, startStack } from '../../../scripts/stack.ts';
import { GatewayClient } from '../../support/gateway-client.ts';
import { testLogin } from '../../support/test-stack.ts';
import { residentKib } from '../process-memory.ts';
import { median, type Row } from '../row.ts';
import { Helper } from '../streams/helper.ts';
import type {
  Latencies,
  PublisherAnswer,
  PublisherOrder,
  ReaderAnswer,
  ReaderOrder,
} from '../streams/orders.ts';

const STREAMS = 5_000;
const EVENTS_PER_SECOND = 1_000;
const ROUNDS = 5;
const ROUND_SECONDS = 6;
const LATENCY_BUDGET_MS = 50;
const KEY_PREFIX = 'bench-streams:';
/** Long enough for what opening them leaves to be collected. */
const SETTLE_MS = 5_000;

type Publisher = Helper<PublisherOrder, PublisherAnswer>;
type Readers = Helper<ReaderOrder, ReaderAnswer>;

interface Measured {
  p50: number;
  p99: number;
  most: number;
  memoryKib: number;
}

/**
 * Many open streams on one api process, each of a job of its own: how long an event takes from just before its
 * worker writes it to its client, what a stream takes of memory, and how many connections to Redis they need.
 * The floor is a bare server that writes the same feed to as many clients.
 */
export async function streams(cloud: Stack): Promise<Row[]> {
  const stack = await startStack({
    workers: 0,
    discardLogs: true,
    identityUrl: cloud.identityUrl ?? '',
    config: { redis: { key_prefix: KEY_PREFIX }, rate_limits: { login: 0 } },
  });
  const publisher: Publisher = new Helper(helperFile('publisher'));
  const redis = new Redis(stack.redisUrl, { connectionName: 'bench-watch' });
  try {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const { jobIds } = await publisher.order(
      {
        kind: 'queue',
        jobs: STREAMS,
        projectId: gateway.projectId,
        redisUrl: stack.redisUrl,
        keyPrefix: KEY_PREFIX,
      },
      'queued',
    );
    const api = stack.apis[0];
    if (api === undefined) throw new Error('There is no api process.');
    const connectionsBefore = await apiConnections(redis);
    let connections = 0;
    const ours = await measure(publisher, api, async (readers) => {
      await readers.order(
        {
          kind: 'open',
          port: api.port,
          paths: jobIds.map((id) => `/api/jobs/${id}/events`),
          headers: gateway.headers(),
        },
        'opened',
      );
      connections = await apiConnections(redis);
    });
    const bare = await measureFloor(stack, publisher, jobIds);
    return [
      {
        name: `${STREAMS} streams, ${EVENTS_PER_SECOND} events/s`,
        unit: 'ms at p99',
        gateway: ours.p99,
        floor: bare.p99,
        result: ours.p99,
        resultUnit: 'ms',
        budget: `<= ${LATENCY_BUDGET_MS} ms`,
        met: ours.p99 <= LATENCY_BUDGET_MS,
        note: `median ${ours.p50.toFixed(1)} against ${bare.p50.toFixed(1)} ms, longest ${Math.round(ours.most)} against ${Math.round(bare.most)} ms`,
      },
      {
        name: `${STREAMS} streams, Redis connections`,
        unit: 'with them',
        gateway: connections,
        floor: null,
        result: connections - connectionsBefore,
        resultUnit: 'more than without',
        budget: '0',
        met: connections === connectionsBefore,
        note: `memory of an open stream ${Math.round(ours.memoryKib)} against ${Math.round(bare.memoryKib)} KiB`,
      },
    ];
  } finally {
    await publisher.stop();
    redis.disconnect();
    await stack.stop();
  }
}

async function measureFloor(stack: Stack, publisher: Publisher, jobIds: string[]): Promise<Measured> {
  const floor = await startServer({
    name: 'floor',
    entry: 'test/bench/floors/streams.ts',
    portVariable: 'PORT',
    healthPath: '/',
    env: {
      ...process.env,
      FLOOR_REDIS_URL: stack.redisUrl,
      FLOOR_FEED: KEY_PREFIX + jobKeys.feed,
    },
  });
  try {
    return await measure(publisher, floor, async (readers) => {
      const paths = jobIds.map((id) => `/events/${id}`);
      await readers.order({ kind: 'open', port: floor.port, paths, headers: {} }, 'opened');
    });
  } finally {
    await floor.stop();
  }
}

/** Opens the streams of one server, and has events written for a while. */
async function measure(
  publisher: Publisher,
  server: { pid: number },
  open: (readers: Readers) => Promise<void>,
): Promise<Measured> {
  const readers: Readers = new Helper(helperFile('readers'));
  try {
    const memoryBefore = residentKib(server.pid);
    await open(readers);
    await pause(SETTLE_MS);
    const memoryKib = (residentKib(server.pid) - memoryBefore) / STREAMS;
    await publishRound(publisher, readers);
    const rounds: Latencies[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await publishRound(publisher, readers));
    return {
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      most: Math.max(...rounds.map(({ most }) => most)),
      memoryKib,
    };
  } finally {
    await readers.stop();
  }
}

async function publishRound(publisher: Publisher, readers: Readers): Promise<Latencies> {
  const { events } = await publisher.order(
    { kind: 'publish', eventsPerSecond: EVENTS_PER_SECOND, seconds: ROUND_SECONDS },
    'published',
  );
  return readers.order({ kind: 'await', events }, 'received');
}

async function apiConnections(redis: Redis): Promise<number> {
  return String(await redis.client('LIST'))
    .trim()
    .split('\n').length;
}

function helperFile(name: string): string {
  return fileURLToPath(new URL(`../streams/${name}.ts`, import.meta.url));
}
