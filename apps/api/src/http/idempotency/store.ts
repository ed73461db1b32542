import type { Sealer } from '@gateway/core';
import type { RedisConnections } from '@gateway/redis';
import type { KeyedRequest } from './key.ts';
import type { StoredResponse } from './stored-response.ts';

/**
 * The result of a reservation. `acquired`: this run may proceed. `in_progress`: another run holds the key. `completed`: a
 * response is stored. `mismatch`: the key was used for another request. `full`: the caller has too many keys in use.
 */
type Reservation =
  | { kind: 'acquired' }
  | { kind: 'in_progress'; runId: string }
  | { kind: 'completed'; response: StoredResponse }
  | { kind: 'mismatch' }
  | { kind: 'full'; retryAfterMs: number };

const NOW = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/**
 * KEYS: 1 record, 2 lease, 3 the caller's keys. ARGV: 1 id of the run, 2 TTL of the record in ms, 3 TTL of the lease in ms
 * ('0' for none), 4 maximum number of keys per caller ('0' for any number), 5 digest, then all fingerprints. A record
 * without lease and response was left by a process that died.
 *
 * A sorted set holds the caller's digests, scored by the expiry of their records. Expired digests are removed, and the set
 * expires with its last record. A crash can therefore not leave a wrong count for longer.
 */
const RESERVE_SCRIPT = `${NOW}
  local function acquire()
    redis.call('HSET', KEYS[1], 'run', ARGV[1])
    if ARGV[3] ~= '0' then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3]) end
    return { 'acquired' }
  end
  local stored, run, response = unpack(redis.call('HMGET', KEYS[1], 'fingerprint', 'run', 'response'))
  if not stored then
    redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
    local limit = tonumber(ARGV[4])
    if limit > 0 and redis.call('ZCARD', KEYS[3]) >= limit then
      local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
      return { 'full', tostring(first[2] - now) }
    end
    redis.call('ZADD', KEYS[3], now + ARGV[2], ARGV[5])
    if redis.call('PTTL', KEYS[3]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[3], ARGV[2]) end
    redis.call('HSET', KEYS[1], 'fingerprint', ARGV[6])
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return acquire()
  end
  local same = false
  for at = 6, #ARGV do same = same or ARGV[at] == stored end
  if not same then return { 'mismatch' } end
  if response then return { 'completed', response } end
  if run == ARGV[1] then return { 'acquired' } end
  if ARGV[3] == '0' or redis.call('EXISTS', KEYS[2]) == 1 then return { 'in_progress', run } end
  return acquire()`;

/**
 * Renews a lease, also an expired one unless another run has acquired the key. KEYS as above. ARGV: 1 id of the run, 2 ms.
 */
const RENEW_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
  return 1`;

/**
 * Stores a response. Returns the response that was stored before, if any. Does nothing if another run has acquired the
 * key. KEYS as above. ARGV: 1 id of the run, 2 response, 3 digest, 4 maximum remaining TTL of the record in ms.
 */
const COMPLETE_SCRIPT = `${NOW}
  local run, response = unpack(redis.call('HMGET', KEYS[1], 'run', 'response'))
  if run ~= ARGV[1] then return false end
  if response then return response end
  redis.call('HSET', KEYS[1], 'response', ARGV[2])
  redis.call('DEL', KEYS[2])
  if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[4]) then
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    redis.call('ZADD', KEYS[3], 'XX', now + ARGV[4], ARGV[3])
  end
  return false`;

/** KEYS as above. ARGV: 1 id of the run, 2 digest. */
const RELEASE_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
  redis.call('ZREM', KEYS[3], ARGV[2])
  return redis.call('DEL', KEYS[1], KEYS[2])`;

/**
 * Stores the state of requests with a key. Every run of a handler has an id, and only the run that acquired the key last
 * can change its record. All responses are sealed, because any of them may hold a secret.
 */
export class IdempotencyStore {
  readonly #redis: Pick<RedisConnections, 'store' | 'replicatedWrite'>;
  readonly #sealer: Sealer;
  readonly #keysPerCaller: number;

  /** `keysPerCaller` is the maximum number of stored keys per caller; 0 for any number. */
  constructor(
    redis: Pick<RedisConnections, 'store' | 'replicatedWrite'>,
    sealer: Sealer,
    { keysPerCaller }: { keysPerCaller: number },
  ) {
    this.#redis = redis;
    this.#sealer = sealer;
    this.#keysPerCaller = keysPerCaller;
  }

  /** With a lease of 0 the first run keeps the key until it is released. */
  async reserve(
    request: KeyedRequest,
    runId: string,
    { ttlMs, leaseMs }: { ttlMs: number; leaseMs: number },
  ): Promise<Reservation> {
    const { digest, fingerprints } = request;
    const limits = [ttlMs, leaseMs, this.#keysPerCaller];
    const reply = await this.#write(RESERVE_SCRIPT, request, runId, ...limits, digest, ...fingerprints);
    const [kind, value = ''] = reply as [Reservation['kind'], string?];
    if (kind === 'in_progress') return { kind, runId: value };
    if (kind === 'full') return { kind, retryAfterMs: Number(value) };
    return kind === 'completed' ? { kind, response: this.#open(digest, value) } : { kind };
  }

  async renew(request: KeyedRequest, runId: string, leaseMs: number): Promise<void> {
    await this.#eval(RENEW_SCRIPT, request, runId, leaseMs);
  }

  /** Stores the response for at most `ttlMs`. Returns the response that another run has stored meanwhile, else null. */
  async complete(
    request: KeyedRequest,
    runId: string,
    response: StoredResponse,
    ttlMs: number,
  ): Promise<StoredResponse | null> {
    const { digest } = request;
    const sealed = this.#sealer.seal(purposeOf(digest), JSON.stringify(response));
    const earlier = await this.#write(COMPLETE_SCRIPT, request, runId, sealed, digest, ttlMs);
    return typeof earlier === 'string' ? this.#open(digest, earlier) : null;
  }

  /** Deletes the record, so that the next request with the key runs anew. */
  async release(request: KeyedRequest, runId: string): Promise<void> {
    await this.#eval(RELEASE_SCRIPT, request, runId, request.digest);
  }

  #eval(script: string, request: KeyedRequest, ...values: (string | number)[]): Promise<unknown> {
    const keys = keysOf(request);
    return this.#redis.store.eval(script, keys.length, ...keys, ...values);
  }

  /** Waits for replicas, so that a failover loses no key. */
  #write(script: string, request: KeyedRequest, ...values: (string | number)[]): Promise<unknown> {
    const keys = keysOf(request);
    return this.#redis.replicatedWrite(this.#redis.store, keys[0], (pipeline) =>
      pipeline.eval(script, keys.length, ...keys, ...values),
    );
  }

  #open(digest: string, sealed: string): StoredResponse {
    return JSON.parse(this.#sealer.open(purposeOf(digest), sealed)) as StoredResponse;
  }
}

/** The braces put all keys of a caller into one slot of a Redis Cluster. */
function keysOf({ caller, digest }: KeyedRequest): [record: string, lease: string, ofCaller: string] {
  const ofCaller = `{idempotency:${caller}}`;
  return [`${ofCaller}:${digest}`, `${ofCaller}:${digest}:lease`, ofCaller];
}

function purposeOf(digest: string): string {
  return `idempotency:${digest}`;
}
