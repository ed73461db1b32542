import { setTimeout as delay } from 'node:timers/promises';
import { queuePrefix } from '@gateway/jobs';
import { ConfigError } from '@gateway/platform';
import { findForbiddenCommands, isReadyWithin, type Redis, type RedisConnections } from '@gateway/store';
import type { StartedProcess } from './process-parts.ts';

/** Has the key prefix of the gateway, as all keys have. */
const OWNER_KEY = 'owner';
const RETRY_MS = 1_000;

/** What the records of a store refer to. Ids of one region mean nothing, or something else, in another. */
interface Owner {
  gateway: string;
  region: string;
  /** Host of the identity service. Its scheme, port and path may change: it is the same cloud. */
  cloud: string;
}

type Claimant = Pick<StartedProcess, 'config' | 'logger'> & { redis: RedisConnections };

/**
 * Resolves when the store is known to be this gateway's. The first process that uses a key prefix writes
 * down its region and cloud. Without that, a second gateway with the same prefix would run the jobs of the
 * first against its own cloud, find none of their resources there, and drop their records. Waits while Redis
 * is unavailable, until `signal`.
 * @throws ConfigError if they are those of another region or cloud, or if the server forbids what jobs need
 */
export function claimStore(claimant: Claimant, signal: AbortSignal): Promise<void> {
  const { store, cache } = claimant.redis;
  // Nothing waits for the Redis of cached lists. If it is another gateway's, the unhandled rejection ends the
  // process.
  if (cache !== store) void claim(cache, signal, () => compareOwner(claimant, cache));
  return claim(store, signal, async () => {
    await requirePermissions(claimant);
    await compareOwner(claimant, store);
  });
}

async function claim(redis: Redis, signal: AbortSignal, check: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await isReadyWithin(redis, RETRY_MS)) return await check();
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/** Every job of a process that continued would fail at the first command that is forbidden. */
async function requirePermissions({ config, redis }: Claimant): Promise<void> {
  const queueKey = `${queuePrefix(config.redis.keyPrefix, 'maintenance')}:permitted`;
  const forbidden = await findForbiddenCommands(redis.store, queueKey);
  const [first] = forbidden;
  if (first === undefined) return;
  const names = [...new Set(forbidden.map(({ command }) => command))].join(', ');
  throw new ConfigError([
    `the server or the user of REDIS_URL forbids commands that jobs need: allow ${names} for the keys and channels ` +
      `${config.redis.keyPrefix}* and {${config.redis.keyPrefix}*; the server says "${first.reason}"`,
  ]);
}

async function compareOwner({ config, logger }: Claimant, redis: Redis): Promise<void> {
  const own: Owner = {
    gateway: config.gateway.name,
    region: config.identity.region,
    cloud: new URL(config.identity.url).hostname,
  };
  const owner = (await readOwner(redis)) ?? (await writeOwner(redis, own));
  if (owner.region !== own.region || owner.cloud !== own.cloud) {
    const { keyPrefix } = config.redis;
    throw new ConfigError([
      `the key prefix "${keyPrefix}" of Redis is that of ${described(owner)}, and this is ${described(own)}: ` +
        'set another "redis.key_prefix", or, if the same region and cloud have only new names, stop all processes ' +
        `and delete the key ${keyPrefix}${OWNER_KEY}`,
    ]);
  }
  if (owner.gateway === own.gateway) return;
  logger.warn('The gateway has another name than the last process that has started', {
    last_name: owner.gateway,
  });
  await redis.set(OWNER_KEY, JSON.stringify(own));
}

async function readOwner(redis: Redis): Promise<Owner | null> {
  const stored = await redis.get(OWNER_KEY);
  return stored === null ? null : (JSON.parse(stored) as Owner);
}

/** Returns the owner that another process has written meanwhile, if one has. */
async function writeOwner(redis: Redis, own: Owner): Promise<Owner> {
  const isWritten = await redis.set(OWNER_KEY, JSON.stringify(own), 'NX');
  return (isWritten === null ? await readOwner(redis) : null) ?? own;
}

function described({ gateway, region, cloud }: Owner): string {
  return `the gateway "${gateway}" in the region ${region} of the cloud ${cloud}`;
}
