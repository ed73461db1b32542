import type { Sealer } from '@gateway/core';
import type { RedisConnections } from '@gateway/redis';
import type { KeptAnswer } from './answer.ts';
import type { KeyedRequest } from './key.ts';

/**
 * What became of a request's wish to act: `mine`, it may; `held`, another one is at it; `answered`, another one
 * was; `mismatch`, the key was used for something else.
 */
export type Reservation =
  | { kind: 'mine' }
  | { kind: 'held'; runId: string }
  | { kind: 'answered'; answer: KeptAnswer }
  | { kind: 'mismatch' };

/**
 * KEYS: 1 record, 2 lease. ARGV: 1 id of the run, 2 life of the record in ms, 3 length of the lease in ms ('0'
 * where what is reserved needs none), then all fingerprints. A record without lease and answer was left by a
 * process that died.
 */
const RESERVE_SCRIPT = `
  local function take()
    redis.call('HSET', KEYS[1], 'run', ARGV[1])
    if ARGV[3] ~= '0' then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3]) end
    return { 'mine' }
  end
  local stored, run, answer = unpack(redis.call('HMGET', KEYS[1], 'fingerprint', 'run', 'answer'))
  if not stored then
    redis.call('HSET', KEYS[1], 'fingerprint', ARGV[4])
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return take()
  end
  local same = false
  for at = 4, #ARGV do same = same or ARGV[at] == stored end
  if not same then return { 'mismatch' } end
  if answer then return { 'answered', answer } end
  if run == ARGV[1] then return { 'mine' } end
  if ARGV[3] == '0' or redis.call('EXISTS', KEYS[2]) == 1 then return { 'held', run } end
  return take()`;

/** Also gives a lease back that ran out, as long as nobody has taken over. */
const RENEW_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
  return 1`;

/** Gives the answer that was kept before, or nothing. A run that another took over from keeps nothing. */
const KEEP_SCRIPT = `
  local run, answer = unpack(redis.call('HMGET', KEYS[1], 'run', 'answer'))
  if run ~= ARGV[1] then return false end
  if answer then return answer end
  redis.call('HSET', KEYS[1], 'answer', ARGV[2])
  redis.call('DEL', KEYS[2])
  return false`;

const RELEASE_SCRIPT = `
  if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1], KEYS[2])`;

/**
 * What is known of requests with a key. Every attempt to act on one has an id, and whoever is no longer the
 * last to have begun changes nothing. Answers are sealed, all of them: which hold a secret needs no telling.
 */
export class IdempotencyStore {
  readonly #redis: Pick<RedisConnections, 'store' | 'confirmed'>;
  readonly #sealer: Sealer;

  constructor(redis: Pick<RedisConnections, 'store' | 'confirmed'>, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  /** With a lease of 0 the run stays the one that was first, whoever works on it. */
  async reserve(
    { digest, fingerprints }: KeyedRequest,
    runId: string,
    { lifeMs, leaseMs }: { lifeMs: number; leaseMs: number },
  ): Promise<Reservation> {
    const reply = await this.#write(RESERVE_SCRIPT, digest, runId, lifeMs, leaseMs, ...fingerprints);
    const [kind, value = ''] = reply as [Reservation['kind'], string?];
    if (kind === 'held') return { kind, runId: value };
    return kind === 'answered' ? { kind, answer: this.#open(digest, value) } : { kind };
  }

  async renew({ digest }: KeyedRequest, runId: string, leaseMs: number): Promise<void> {
    await this.#redis.store.eval(RENEW_SCRIPT, 2, ...keysOf(digest), runId, leaseMs);
  }

  /** Gives the answer that another one has kept meanwhile, else null. */
  async keep({ digest }: KeyedRequest, runId: string, answer: KeptAnswer): Promise<KeptAnswer | null> {
    const sealed = this.#sealer.seal(purposeOf(digest), JSON.stringify(answer));
    const kept = await this.#write(KEEP_SCRIPT, digest, runId, sealed);
    return typeof kept === 'string' ? this.#open(digest, kept) : null;
  }

  /** Forgets the request: the next one is the first. */
  async release({ digest }: KeyedRequest, runId: string): Promise<void> {
    await this.#redis.store.eval(RELEASE_SCRIPT, 2, ...keysOf(digest), runId);
  }

  /** What is promised of a key holds through a failover, too. */
  #write(script: string, digest: string, ...values: (string | number)[]): Promise<unknown> {
    const keys = keysOf(digest);
    return this.#redis.confirmed(this.#redis.store, keys[0], (pipeline) =>
      pipeline.eval(script, keys.length, ...keys, ...values),
    );
  }

  #open(digest: string, sealed: string): KeptAnswer {
    return JSON.parse(this.#sealer.open(purposeOf(digest), sealed)) as KeptAnswer;
  }
}

/** The braces put both into one slot of a Redis Cluster. */
function keysOf(digest: string): [record: string, lease: string] {
  return [`{idempotency:${digest}}`, `{idempotency:${digest}}:lease`];
}

function purposeOf(digest: string): string {
  return `idempotency:${digest}`;
}
