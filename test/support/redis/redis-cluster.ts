import { freePort } from '../../../scripts/free-port.ts';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { eventually } from '../eventually.ts';
import { queryRedis } from './query-redis.ts';

/** Three primaries, and a replica of the primary with the jobs. */
export interface RedisCluster {
  readonly primaries: RunningRedis[];
  readonly replica: RunningRedis;
  /** The initial primary of the jobs. */
  readonly jobsPrimary: RunningRedis;
  /** The nodes in the format of the configuration. */
  readonly nodes: string[];
  /** Resolves when the replica has everything that was written to its primary until now. */
  untilInStep(): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;
const PRIMARIES = 3;
const JOBS_KEY = '{jobs}:feed';
const JOBS_KEY_OF_TEST = '{jobs}:in-step';
const ACKNOWLEDGE_MS = 1_000;

type Settings = NonNullable<Parameters<typeof startRedis>[0]>['settings'];

/** @param settings additional settings of each node */
export async function startRedisCluster(settings: Settings = {}): Promise<RedisCluster> {
  const servers = await Promise.all(Array.from({ length: PRIMARIES + 1 }, () => startNode(settings)));
  const primaries = servers.slice(0, PRIMARIES);
  const [first, replica] = [servers[0], servers[PRIMARIES]];
  if (first === undefined || replica === undefined) throw new Error('No node has started.');

  await Promise.all(
    primaries.map(({ port }, index) => {
      const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / PRIMARIES));
      return queryRedis(port, (redis) => redis.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1));
    }),
  );
  for (const [epoch, { port }] of servers.entries()) {
    await queryRedis(port, (redis) => redis.call('CLUSTER', 'SET-CONFIG-EPOCH', epoch + 1));
  }
  for (const { port, busPort } of servers) {
    if (port !== first.port)
      await queryRedis(first.port, (redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort));
  }
  await untilAll(servers, 'cluster_state:ok', `cluster_known_nodes:${servers.length}`);

  const jobsPrimary = await primaryOf(primaries);
  const id = await queryRedis(jobsPrimary.port, (redis) => redis.call('CLUSTER', 'MYID'));
  await queryRedis(replica.port, (redis) => redis.call('CLUSTER', 'REPLICATE', String(id)));
  /** The replica is connected some time before the primary counts it: `WAIT` waits for both. */
  const untilInStep = () =>
    eventually(async () => {
      const acknowledged = await queryRedis(jobsPrimary.port, async (redis) => {
        // `WAIT` applies to the writes of its own connection.
        await redis.set(JOBS_KEY_OF_TEST, '1');
        return redis.wait(1, ACKNOWLEDGE_MS);
      });
      return acknowledged === 1;
    }).then(() => {});
  await untilInStep();

  return {
    primaries,
    replica,
    jobsPrimary,
    nodes: servers.map(({ port }) => `127.0.0.1:${port}`),
    untilInStep,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

interface Node extends RunningRedis {
  /** The address for the other nodes. */
  readonly busPort: number;
}

async function startNode(settings: Settings): Promise<Node> {
  const busPort = await freePort();
  const redis = await startRedis({
    settings: {
      'cluster-enabled': 'yes',
      'cluster-config-file': 'nodes.conf',
      'cluster-node-timeout': 1_000,
      'cluster-port': busPort,
      'repl-diskless-sync-delay': 0,
      ...settings,
    },
  });
  return Object.assign(Object.create(redis), { busPort });
}

async function untilAll(servers: RunningRedis[], ...facts: string[]): Promise<void> {
  await eventually(async () => {
    for (const { port } of servers) {
      const info = String(await queryRedis(port, (redis) => redis.call('CLUSTER', 'INFO')));
      if (!facts.every((fact) => info.includes(fact))) return undefined;
    }
    return true;
  });
}

/** The node that holds the key; other nodes redirect. */
async function primaryOf(primaries: RunningRedis[]): Promise<RunningRedis> {
  for (const primary of primaries) {
    const holds = await queryRedis(primary.port, (redis) => redis.exists(JOBS_KEY)).then(
      () => true,
      () => false,
    );
    if (holds) return primary;
  }
  throw new Error('No primary holds the jobs.');
}
