import { type JobEvent, type ProgressLog, ProgressRelay } from '@gateway/jobs';
import type { Redis, RedisConnections } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { openGate, type RedisGate } from '../../store/redis-gate.ts';
import { append, claim, queueJob } from '../stored-jobs.ts';

/** Records what one stream receives. */
export class Stream {
  readonly events: JobEvent[] = [];
  readonly errors: unknown[] = [];
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  onEvent = (event: JobEvent): void => {
    this.events.push(event);
    for (const { count, resolve } of this.#waiting) if (this.events.length >= count) resolve();
  };

  onError = (error: unknown): void => {
    this.errors.push(error);
  };

  /** Resolves after this many events. */
  received(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve });
    if (this.events.length >= count) resolve();
    return promise;
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq);
  }
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Call within `describe`. Each test gets a claimed job. Its relays and gates are closed after it. */
export function relaySuite(): RelaySuite {
  const suite = new RelaySuite();
  before(() => suite.connect());
  beforeEach(() => suite.claimJob());
  afterEach(() => suite.closeRelays());
  after(() => suite.store.close());
  return suite;
}

class RelaySuite {
  readonly store = new TestStore();
  redis!: RedisConnections;
  jobId!: string;
  log!: ProgressLog;
  readonly #closing: { close(): Promise<void> }[] = [];
  readonly #followed = new WeakMap<ProgressRelay, Promise<void>>();

  async connect(): Promise<void> {
    this.redis = await this.store.connect();
  }

  async claimJob(): Promise<void> {
    this.jobId = await queueJob(this.redis.store);
    this.log = await claim(this.redis.store, this.jobId);
  }

  /** What the test opens last closes first. */
  closeAfterTest(opened: { close(): Promise<void> }): void {
    this.#closing.push(opened);
  }

  async closeRelays(): Promise<void> {
    for (const each of this.#closing.splice(0).reverse()) await each.close();
  }

  /** Connections to Redis that the test can interrupt. */
  async connectThroughGate(
    retryPolicy?: 'fail-fast',
  ): Promise<{ gate: RedisGate; connections: RedisConnections }> {
    const gate = await openGate();
    this.closeAfterTest(gate);
    return { gate, connections: await this.store.connect({ url: gate.url, retryPolicy }) };
  }

  startRelay(connections = this.redis, feed: Redis = connections.blocking('relay')): ProgressRelay {
    const relay = new ProgressRelay(connections.store, feed);
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = feed.xread.bind(feed) as (...args: unknown[]) => Promise<unknown>;
    feed.xread = (async (...args: unknown[]) => {
      resolve();
      return read(...args);
    }) as typeof feed.xread;
    this.#followed.set(relay, promise);
    relay.start();
    this.closeAfterTest(relay);
    return relay;
  }

  /** Waits until the relay follows the feed and no stream reads its log, so that further events come live. */
  async following(relay: ProgressRelay): Promise<void> {
    await this.#followed.get(relay);
    const other = await queueJob(this.redis.store);
    const probe = new Stream();
    const subscription = relay.subscribe(other, 0, probe);
    const otherLog = await claim(this.redis.store, other);
    await append(otherLog, 1, 2);
    await probe.received(2);
    subscription.close();
  }
}
