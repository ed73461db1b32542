import type { Sealer } from '@gateway/core';
import type { RedisConnections } from '@gateway/redis';
import type { KeyedRequest } from './key.ts';
import type { KeptAnswer } from './stored-response.ts';

/**
 * What became of a request's wish to act: `mine`, it may; `held`, another one is at it; `answered`, another one
 * was; `mismatch`, the key was used for something else; `full`, the caller has as many keys in use as allowed.
 */
export type Reservation =
  | { kind: 'mine' }
  | { kind: 'held'; runId: string }
  | { kind: 'answered'; answer: KeptAnswer }
  | { kind: 'mismatch' }
  | { kind: 'full'; retryAfterMs: number };

const NOW = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/**
 * KEYS: 1 record, 2 lease, 3 the caller's keys. ARGV: 1 id of the run, 2 life of the record in ms, 3 length of the
 * lease in ms ('0' where what is reserved needs none), 4 maximum number of keys per caller ('0': any number), 5 digest,
 * then all fingerprints. A record without lease and answer was left by a process that died.
 *
 * The caller's keys are counted by a sorted set of digests, by the time when their records expire: the set drops what
 * has expired, and itself expires with its last record, so that no crash leaves a wrong count for longer.
 */
const RESERVE_SCRIPT = `${NOW}
  local function take()
    redis.call('HSET', KEYS[1], 'run', ARGV[1])
    if ARGV[3] ~= '0' then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3]) end
    return { 'mine' }
  end
  local stored, run, answer = unpack(redis.call('HMGET', KEYS[1], 'fingerprint', 'run', 'answer'))
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
    return take()
  end
  local same = false
  for at = 6, #ARGV do same = same or ARGV[at] == stored end
  if not same then return { 'mismatch' } end
  if answer then return { 'answered', answer } end
  if run == ARGV[1] then return { 'mine' } end
  if ARGV[3] == '0' or redis.call('EXISTS', KEYS[2]) == 1 then return { 'held', run } end
  return take()`;

/** Also gives a lease back that ran out, as long as nobody has taken over. KEYS as above. ARGV: 1 id of the run, 2 ms. */
const RENEW_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
  return 1`;

/**
 * Gives the answer that was kept before, or nothing. A run that another took over from keeps nothing. KEYS as above.
 * ARGV: 1 id of the run, 2 answer, 3 digest, 4 life of the record from now on in ms, where it is shorter than before.
 */
const KEEP_SCRIPT = `${NOW}
  local run, answer = unpack(redis.call('HMGET', KEYS[1], 'run', 'answer'))
  if run ~= ARGV[1] then return false end
  if answer then return answer end
  redis.call('HSET', KEYS[1], 'answer', ARGV[2])
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
 * What is known of requests with a key. Every attempt to act on one has an id, and whoever is no longer the
 * last to have begun changes nothing. Answers are sealed, all of them: which hold a secret needs no telling.
 */
export class IdempotencyStore {
  readonly #redis: Pick<RedisConnections, 'store' | 'replicatedWrite'>;
  readonly #sealer: Sealer;
  readonly #keysPerCaller: number;

  /** `keysPerCaller` is how many keys one caller may have in use; 0 for any number. */
  constructor(
    redis: Pick<RedisConnections, 'store' | 'replicatedWrite'>,
    sealer: Sealer,
    { keysPerCaller }: { keysPerCaller: number },
  ) {
    this.#redis = redis;
    this.#sealer = sealer;
    this.#keysPerCaller = keysPerCaller;
  }

  /** With a lease of 0 the run stays the one that was first, whoever works on it. */
  async reserve(
    request: KeyedRequest,
    runId: string,
    { lifeMs, leaseMs }: { lifeMs: number; leaseMs: number },
  ): Promise<Reservation> {
    const { digest, fingerprints } = request;
    const limits = [lifeMs, leaseMs, this.#keysPerCaller];
    const reply = await this.#write(RESERVE_SCRIPT, request, runId, ...limits, digest, ...fingerprints);
    const [kind, value = ''] = reply as [Reservation['kind'], string?];
    if (kind === 'held') return { kind, runId: value };
    if (kind === 'full') return { kind, retryAfterMs: Number(value) };
    return kind === 'answered' ? { kind, answer: this.#open(digest, value) } : { kind };
  }

  async renew(request: KeyedRequest, runId: string, leaseMs: number): Promise<void> {
    await this.#eval(RENEW_SCRIPT, request, runId, leaseMs);
  }

  /** Keeps an answer, for so long at most; gives the one that another run has kept meanwhile, else null. */
  async keep(
    request: KeyedRequest,
    runId: string,
    answer: KeptAnswer,
    lifeMs: number,
  ): Promise<KeptAnswer | null> {
    const { digest } = request;
    const sealed = this.#sealer.seal(purposeOf(digest), JSON.stringify(answer));
    const kept = await this.#write(KEEP_SCRIPT, request, runId, sealed, digest, lifeMs);
    return typeof kept === 'string' ? this.#open(digest, kept) : null;
  }

  /** Forgets the request: the next one is the first. */
  async release(request: KeyedRequest, runId: string): Promise<void> {
    await this.#eval(RELEASE_SCRIPT, request, runId, request.digest);
  }

  #eval(script: string, request: KeyedRequest, ...values: (string | number)[]): Promise<unknown> {
    const keys = keysOf(request);
    return this.#redis.store.eval(script, keys.length, ...keys, ...values);
  }

  /** What is promised of a key holds through a failover, too. */
  #write(script: string, request: KeyedRequest, ...values: (string | number)[]): Promise<unknown> {
    const keys = keysOf(request);
    return this.#redis.replicatedWrite(this.#redis.store, keys[0], (pipeline) =>
      pipeline.eval(script, keys.length, ...keys, ...values),
    );
  }

  #open(digest: string, sealed: string): KeptAnswer {
    return JSON.parse(this.#sealer.open(purposeOf(digest), sealed)) as KeptAnswer;
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
