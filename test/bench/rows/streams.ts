import { jobKeys } from '@gateway/jobs';
import { Redis } from 'ioredis';
import { type ServerProcess, startServer } from '../../../scripts/server-process.ts';
import { type Stack, startStack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { GatewayClient } from '../../support/clients/gateway-client.ts';
import { createProject } from '../../support/projects/prepared-project.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import { median, type Row } from '../row.ts';
import type { Latencies, StreamRequest, StreamSubjects } from '../streams/messages.ts';
import { StreamServer } from '../streams/stream-server.ts';

const STREAMS = 5_000;
const EVENTS_PER_SECOND = 1_000;
const ROUNDS = 7;
const ROUND_SECONDS = 4;
const LATENCY_BUDGET_MS = 20;
const KEY_PREFIX = 'bench-streams:';
const FLOOR_KEY_PREFIX = 'bench-streams-floor:';
/** The projects with listeners, each with as many as the others. */
const PROJECTS = 50;

/** What streams have, and how they are requested. */
interface Kind {
  name: string;
  subjects: StreamSubjects;
  toRequest(id: string): StreamRequest;
}

/** Many open streams on one api process, one job each. */
export async function streams(cloud: Stack): Promise<Row[]> {
  const gateway = await GatewayClient.logIn(cloud.url, testLogin('demo'));
  const headers = gateway.headers();
  return measure(cloud, {
    name: 'streams',
    subjects: { kind: 'jobs', count: STREAMS, projectId: gateway.projectId },
    toRequest: (id) => ({ path: `/api/jobs/${id}/events`, headers }),
  });
}

/** As many streams of what changes in projects: each change goes to all listeners of its project. */
export async function listeners(cloud: Stack): Promise<Row[]> {
  const identityUrl = cloud.identityUrl ?? '';
  const gateway = await GatewayClient.logIn(cloud.url, testLogin('demo'));
  const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
  const projectIds: string[] = [];
  while (projectIds.length < PROJECTS) {
    const projectName = `bench-listeners-${projectIds.length}-${Date.now()}`;
    projectIds.push(await createProject(admin, { ...testLogin('demo'), projectName }));
  }
  return measure(cloud, {
    name: `listeners of ${PROJECTS} projects`,
    subjects: { kind: 'projects', projectIds },
    // Jobs need no polls of lists, which the cloud would answer on the same machine.
    toRequest: (id) => ({
      path: '/api/events?types=job',
      headers: { ...gateway.headers(), 'x-project-id': id },
    }),
  });
}

/**
 * The latency of an event from worker to client, the memory per stream, and the number of Redis connections.
 * The floor is a plain server that writes the same kind of feed to as many clients; both are measured
 * alternately.
 */
async function measure(cloud: Stack, kind: Kind): Promise<Row[]> {
  const stack = await startStack({
    workers: 0,
    discardLogs: true,
    identityUrl: cloud.identityUrl ?? '',
    config: {
      redis: { key_prefix: KEY_PREFIX },
      rate_limits: { login: 0 },
      http: { streams_per_user: STREAMS, streams_per_process: STREAMS },
    },
  });
  const redis = new Redis(stack.redisUrl, { connectionName: 'bench-watch' });
  const closing = [() => stack.stop(), async () => redis.disconnect()];
  try {
    const ours = gatewayServer(stack, kind);
    closing.push(() => ours.stop());
    const floor = await startFloor(stack.redisUrl);
    closing.push(() => floor.stop());
    const bare = floorServer(stack.redisUrl, floor, kind);
    closing.push(() => bare.stop());

    const connectionsBefore = await apiConnections(redis);
    await ours.open();
    const connections = await apiConnections(redis);
    await bare.open();
    const rounds = { ours: [] as Latencies[], bare: [] as Latencies[] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bareRound = await bare.round(EVENTS_PER_SECOND, ROUND_SECONDS);
      const ourRound = await ours.round(EVENTS_PER_SECOND, ROUND_SECONDS);
      // The first round is a warm-up.
      if (round > 0) rounds.bare.push(bareRound);
      if (round > 0) rounds.ours.push(ourRound);
    }
    return [
      latencyRow(kind, rounds.ours, rounds.bare),
      connectionsRow(kind, [connectionsBefore, connections], ours, bare),
    ];
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function gatewayServer({ apis, redisUrl }: Stack, { subjects, toRequest }: Kind): StreamServer {
  const [server] = apis;
  if (server === undefined) throw new Error('There is no api process.');
  return new StreamServer({ server, redisUrl, keyPrefix: KEY_PREFIX, subjects, streams: STREAMS, toRequest });
}

function floorServer(redisUrl: string, server: ServerProcess, { subjects }: Kind): StreamServer {
  return new StreamServer({
    server,
    redisUrl,
    keyPrefix: FLOOR_KEY_PREFIX,
    subjects,
    streams: STREAMS,
    toRequest: (id) => ({ path: `/events/${id}`, headers: {} }),
  });
}

function startFloor(redisUrl: string): Promise<ServerProcess> {
  return startServer({
    name: 'floor',
    entry: 'test/bench/baselines/streams.ts',
    portVariable: 'PORT',
    healthPath: '/',
    env: { ...process.env, FLOOR_REDIS_URL: redisUrl, FLOOR_FEED: FLOOR_KEY_PREFIX + jobKeys.feed },
  });
}

function latencyRow({ name }: Kind, ours: Latencies[], bare: Latencies[]): Row {
  const half = (rounds: Latencies[]) => median(rounds.map(({ p50 }) => p50)).toFixed(1);
  const most = (rounds: Latencies[]) => Math.round(Math.max(...rounds.map((round) => round.max)));
  const late = (rounds: Latencies[]) => median(rounds.map(({ p99 }) => p99));
  const result = late(ours);
  return {
    name: `${STREAMS} ${name}, ${EVENTS_PER_SECOND} events/s`,
    unit: 'ms at p99',
    gateway: result,
    floor: late(bare),
    result,
    resultUnit: 'ms',
    budget: `<= ${LATENCY_BUDGET_MS} ms`,
    met: result <= LATENCY_BUDGET_MS,
    note: `median ${half(ours)} against ${half(bare)} ms, longest ${most(ours)} against ${most(bare)} ms`,
  };
}

function connectionsRow(
  { name }: Kind,
  [before, connections]: [before: number, after: number],
  ours: StreamServer,
  bare: StreamServer,
): Row {
  return {
    name: `${STREAMS} ${name}, Redis connections`,
    unit: 'with them',
    gateway: connections,
    floor: null,
    result: connections - before,
    resultUnit: 'more than without',
    budget: '0',
    met: connections === before,
    note: `memory of an open stream ${Math.round(ours.memoryKib)} against ${Math.round(bare.memoryKib)} KiB`,
  };
}

/** The Redis connections of the api: connections of the benchmark have names. */
async function apiConnections(redis: Redis): Promise<number> {
  const clients = String(await redis.client('LIST'))
    .trim()
    .split('\n');
  return clients.filter((client) => !client.includes(' name=bench-')).length;
}
