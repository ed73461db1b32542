import { Cluster } from 'ioredis';
import type { RedisConnections } from './connections.ts';
import { probeWrites, type WriteRefusal, writeRefusals } from './readiness.ts';
import type { Redis, SingleRedis } from './redis.ts';

interface ServerMemory {
  usedBytes: number;
  /** Null without a limit. */
  limitBytes: number | null;
}

interface ConnectionState {
  /** Whether the server accepts writes. */
  isUp: boolean;
  /** For which of all reasons it refuses them. Null if it does not answer. */
  refusals: Record<WriteRefusal, boolean> | null;
  /** In a Cluster, the memory of the fullest server. Null if the servers do not report it. */
  memory: ServerMemory | null;
}

const TIMEOUT_MS = 1_000;

/** The state of the store, and of the cache if it has a server of its own. Never throws. */
export async function readServerStates({
  store,
  cache,
}: Pick<RedisConnections, 'store' | 'cache'>): Promise<Record<string, ConnectionState>> {
  const connections = Object.entries(cache === store ? { store } : { store, cache });
  const states = connections.map(async ([name, redis]) => [name, await readState(redis)] as const);
  return Object.fromEntries(await Promise.all(states));
}

async function readState(redis: Redis): Promise<ConnectionState> {
  const outcome = await probeWrites(redis, TIMEOUT_MS);
  if (outcome === 'silent') return { isUp: false, refusals: null, memory: null };
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  // Some hosted servers do not allow `INFO`.
  const answers = await Promise.all(servers.map((server) => readMemory(server).catch(() => null)));
  const known = answers.filter((memory) => memory !== null);
  const memory = known.sort((one, other) => fill(other) - fill(one))[0] ?? null;
  const refusals = Object.fromEntries(writeRefusals.map((reason) => [reason, reason === outcome]));
  return {
    isUp: outcome === 'accepted',
    refusals: refusals as Record<WriteRefusal, boolean>,
    memory,
  };
}

async function readMemory(redis: SingleRedis): Promise<ServerMemory | null> {
  const text = await redis.info('memory');
  const usedBytes = bytesIn(text, 'used_memory');
  // A limit of 0 means no limit.
  return usedBytes === null ? null : { usedBytes, limitBytes: bytesIn(text, 'maxmemory') || null };
}

function bytesIn(text: string, field: string): number | null {
  const line = text.split('\r\n').find((entry) => entry.startsWith(`${field}:`));
  return line === undefined ? null : Number(line.slice(field.length + 1));
}

/** All nodes of a Cluster have the same settings: either all have a limit or none. */
function fill({ usedBytes, limitBytes }: ServerMemory): number {
  return usedBytes / (limitBytes ?? 1);
}
