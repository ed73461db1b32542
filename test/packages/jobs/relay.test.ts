import assert from 'node:assert/strict';
import {
  FEED_LENGTH,
  type JobEvent,
  jobKeys,
  LogLostError,
  type ProgressLog,
  ProgressRelay,
} from '@gateway/jobs';
import { type Redis, type RedisConnections, waitUntilReady } from '@gateway/redis';
import { openGate } from '../redis/redis-gate.ts';
import { append, claim, end, JobStore, queueJob } from './job-store.ts';

/** What one stream was told. */
class Stream {
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

  /** Resolves when this many events have come. */
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

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe('ProgressRelay', () => {
  const store = new JobStore();
  const closing: { close(): Promise<void> }[] = [];
  let redis: RedisConnections;
  let jobId: string;
  let log: ProgressLog;

  before(async () => {
    redis = await store.connect();
  });

  after(() => store.close());

  beforeEach(async () => {
    jobId = await queueJob(redis.store);
    log = await claim(redis.store, jobId);
  });

  afterEach(async () => {
    for (const each of closing.splice(0).reverse()) await each.close();
  });

  const followed = new WeakMap<ProgressRelay, Promise<void>>();

  function startRelay(connections = redis, feed: Redis = connections.blocking('relay')): ProgressRelay {
    const relay = new ProgressRelay(connections.store, feed);
    const { promise, resolve } = Promise.withResolvers<void>();
    const read = feed.xread.bind(feed) as (...args: unknown[]) => Promise<unknown>;
    feed.xread = (async (...args: unknown[]) => {
      resolve();
      return read(...args);
    }) as typeof feed.xread;
    followed.set(relay, promise);
    relay.start();
    closing.push(relay);
    return relay;
  }

  /** The relay follows the feed, and no stream reads its log any more: what comes now comes live. */
  async function following(relay: ProgressRelay): Promise<void> {
    await followed.get(relay);
    const other = await queueJob(redis.store);
    const probe = new Stream();
    const subscription = relay.subscribe(other, 0, probe);
    const otherLog = await claim(redis.store, other);
    await append(otherLog, 1, 2);
    await probe.received(2);
    subscription.close();
  }

  it('delivers past events, then live ones, in order and without gap or repeat', async () => {
    const relay = startRelay();
    await append(log, 1, 20);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await append(log, 21, 40);
    await stream.received(40);
    await end(log);
    await stream.received(41);
    assert.deepEqual(stream.seqs, range(1, 41));
    assert.deepEqual(
      stream.events.map(({ last }) => last),
      [...Array(40).fill(false), true],
    );
  });

  it('goes on after any event that the stream has seen', async () => {
    await append(log, 1, 6);
    const relay = startRelay();
    const streams = range(0, 7).map((cursor) => {
      const stream = new Stream();
      relay.subscribe(jobId, cursor, stream);
      return { cursor, stream };
    });
    await end(log);
    for (const { cursor, stream } of streams) {
      if (cursor < 7) await stream.received(7 - cursor);
      assert.deepEqual(stream.seqs, range(cursor + 1, 7), `after event ${cursor}`);
    }
  });

  it('tells every stream of every relay the same', async () => {
    const [one, two] = [startRelay(), startRelay(await store.connect())];
    const streams = range(1, 10).map((number) => {
      const stream = new Stream();
      (number % 2 === 0 ? one : two).subscribe(jobId, 0, stream);
      return stream;
    });
    // Some come while events are being written.
    for (let n = 1; n <= 50; n++) {
      await append(log, n, n);
      const late = new Stream();
      (n % 2 === 0 ? one : two).subscribe(jobId, n % Math.min(n, 7), late);
    }
    await end(log);
    for (const stream of streams) {
      await stream.received(51);
      assert.deepEqual(stream.seqs, range(1, 51));
    }
  });

  it('keeps streams that join while events pour in free of gaps and repeats', async () => {
    const relay = startRelay();
    const streams: { stream: Stream; cursor: number }[] = [];
    await append(log, 1, 4);
    const writing = append(log, 5, 300).then(() => end(log));
    for (let n = 0; n < 60; n++) {
      const stream = new Stream();
      const cursor = n % 5;
      relay.subscribe(jobId, cursor, stream);
      streams.push({ stream, cursor });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    for (const { stream, cursor } of streams) {
      await stream.received(301 - cursor);
      assert.deepEqual(stream.seqs, range(cursor + 1, 301));
    }
  });

  it('tells a stream of its own job only', async () => {
    const relay = startRelay();
    const other = await queueJob(redis.store);
    const otherLog = await claim(redis.store, other);
    const [mine, theirs] = [new Stream(), new Stream()];
    relay.subscribe(jobId, 0, mine);
    relay.subscribe(other, 0, theirs);
    await append(log, 1, 3);
    await append(otherLog, 1, 2);
    await Promise.all([mine.received(3), theirs.received(2)]);
    assert.deepEqual([mine.seqs, theirs.seqs], [range(1, 3), range(1, 2)]);
  });

  it('tells a stream nothing after it has left', async () => {
    const relay = startRelay();
    const [gone, stays] = [new Stream(), new Stream()];
    const leaving = relay.subscribe(jobId, 0, gone);
    relay.subscribe(jobId, 0, stays);
    await append(log, 1, 1);
    await gone.received(1);
    leaving.close();
    await append(log, 2, 3);
    await stays.received(3);
    assert.deepEqual(gone.seqs, [1]);
  });

  it('tells a stream nothing that leaves at the first of several past events', async () => {
    await append(log, 1, 5);
    const relay = startRelay();
    const stream = new Stream();
    const leaving = relay.subscribe(jobId, 0, {
      onEvent: (event) => {
        stream.onEvent(event);
        leaving.close();
      },
      onError: stream.onError,
    });
    const other = new Stream();
    relay.subscribe(jobId, 0, other);
    await other.received(5);
    assert.deepEqual(stream.seqs, [1]);
  });

  it('keeps a stream that came after another left twice', async () => {
    const relay = startRelay();
    const leaving = relay.subscribe(jobId, 0, new Stream());
    leaving.close();
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await following(relay);
    leaving.close();
    await append(log, 1, 2);
    await stream.received(2);
    assert.deepEqual(stream.seqs, [1, 2]);
  });

  it('goes on when the feed was trimmed before it was read', async () => {
    const relay = startRelay();
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await following(relay);
    await append(log, 1, 1);
    await stream.received(1);
    // One transaction: the relay gets to see the feed only when it is empty again.
    const { prefix } = store;
    await redis.queue
      .multi()
      .rpush(prefix + jobKeys.log(jobId), '.{"n":2}', '.{"n":3}')
      .xadd(prefix + jobKeys.feed, '*', 'job', jobId, 'seq', '3', 'entry', '.{"n":3}')
      .xtrim(prefix + jobKeys.feed, 'MAXLEN', 0)
      .exec();
    await append(log, 4, 4);
    await stream.received(4);
    assert.deepEqual(stream.seqs, range(1, 4));
  });

  it('catches up when it was further behind than the feed reaches back', async () => {
    const gate = await openGate();
    closing.push(gate);
    const connections = await store.connect(gate.url);
    const feed = connections.blocking('relay');
    const relay = startRelay(connections, feed);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await append(log, 1, 1);
    await stream.received(1);
    await following(relay);
    gate.shut();
    // The job's last event falls out of the feed: nothing that comes later would tell of the gap.
    await end(log);
    const { prefix } = store;
    await redis.queue.xtrim(prefix + jobKeys.feed, 'MAXLEN', 0);
    gate.reopen();
    await stream.received(2);
    assert.deepEqual(stream.seqs, [1, 2]);
  });

  it('misses nothing that is written just before it begins to follow the feed', async () => {
    const feed = redis.blocking('relay');
    await waitUntilReady(feed, 5_000);
    const relay = new ProgressRelay(redis.store, feed);
    closing.push(relay);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    // Answered after the log was read, and found empty.
    await redis.store.exists(jobKeys.log(jobId));
    const read = feed.xrevrange.bind(feed) as (...args: unknown[]) => Promise<unknown>;
    feed.xrevrange = (async (...args: unknown[]) => {
      await end(log);
      return read(...args);
    }) as typeof feed.xrevrange;
    relay.start();
    await stream.received(1);
    assert.deepEqual(stream.seqs, [1]);
  });

  it('catches up when the feed lost events to the many that came after', async () => {
    const feed = redis.blocking('relay');
    const relay = new ProgressRelay(redis.store, feed);
    closing.push(relay);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    const read = feed.xread.bind(feed) as (...args: unknown[]) => Promise<unknown>;
    let isFirst = true;
    feed.xread = (async (...args: unknown[]) => {
      if (isFirst) {
        isFirst = false;
        await redis.store.exists(jobKeys.log(jobId));
        await end(log);
        await pourIntoFeed(FEED_LENGTH);
      }
      return read(...args);
    }) as typeof feed.xread;
    relay.start();
    await stream.received(1);
    assert.deepEqual(stream.seqs, [1]);
  });

  /** Events of a job that nobody watches; what came before them is no longer in the feed. */
  async function pourIntoFeed(count: number): Promise<void> {
    const key = store.prefix + jobKeys.feed;
    const writes = redis.queue.pipeline();
    for (let seq = 1; seq <= count; seq++) writes.xadd(key, '*', 'job', 'x', 'seq', seq, 'entry', '.{}');
    await writes.xtrim(key, 'MAXLEN', count).exec();
  }

  it('goes on after its connection was killed, without gap or repeat', async () => {
    const feed = redis.blocking('victim');
    const relay = startRelay(redis, feed);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await append(log, 1, 5);
    await stream.received(5);
    for (let round = 0; round < 3; round++) {
      const from = 6 + round * 10;
      const clients = (await redis.queue.client('LIST')) as string;
      const id = /id=(\d+) .*name=victim /.exec(clients)?.[1];
      assert.ok(id);
      await Promise.all([redis.queue.client('KILL', 'ID', id), append(log, from, from + 9)]);
      await stream.received(from + 9);
    }
    assert.deepEqual(stream.seqs, range(1, 35));
    assert.deepEqual(stream.errors, []);
  });

  it('looks into the logs when a Cluster names other nodes, whose feed may be another', async () => {
    const feed = redis.blocking('relay');
    const relay = startRelay(redis, feed);
    await following(relay);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await append(log, 1, 1);
    await stream.received(1);
    await redis.store.rpush(jobKeys.log(jobId), '.{"step":"NOT_IN_THE_FEED"}');

    feed.emit('-node');

    await stream.received(2);
    await append(log, 3, 3);
    await stream.received(3);
    assert.deepEqual(stream.seqs, [1, 2, 3]);
  });

  it('keeps streams open while Redis is away, and brings what came meanwhile', async () => {
    const gate = await openGate();
    closing.push(gate);
    const connections = await store.connect(gate.url, 'fail-fast');
    const relay = startRelay(connections);
    const [early, late] = [new Stream(), new Stream()];
    relay.subscribe(jobId, 0, early);
    await append(log, 1, 3);
    await early.received(3);
    gate.shut();
    relay.subscribe(jobId, 1, late);
    await append(log, 4, 8);
    gate.reopen();
    await end(log);
    await Promise.all([early.received(9), late.received(8)]);
    assert.deepEqual([early.seqs, late.seqs], [range(1, 9), range(2, 9)]);
    assert.deepEqual([early.errors, late.errors], [[], []]);
  });

  it('brings a past of any length, a part of it at a time', async () => {
    const key = store.prefix + jobKeys.log(jobId);
    const past = range(1, 1_050);
    await redis.queue.rpush(key, ...past.map((n) => `.{"n":${n}}`));
    const reads: number[] = [];
    const read = redis.store.lrange.bind(redis.store);
    const watched = Object.assign(Object.create(redis.store) as Redis, {
      lrange: async (...args: [string, number, number]) => {
        const entries = await read(...args);
        reads.push(entries.length);
        return entries;
      },
    });
    const relay = new ProgressRelay(watched, redis.blocking('relay'));
    relay.start();
    closing.push(relay);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await stream.received(1_050);
    assert.deepEqual(stream.seqs, past);
    assert.ok(Math.max(...reads) <= 101, `${Math.max(...reads)} events were read at once`);
  });

  it('delivers nothing to a stream that pauses, and goes on from the log when it resumes', async () => {
    await append(log, 1, 5);
    const relay = startRelay();
    const stream = new Stream();
    const subscription = relay.subscribe(jobId, 0, {
      onEvent: (event) => {
        stream.onEvent(event);
        if ([2, 6, 9].includes(event.seq)) subscription.pause();
      },
      onError: stream.onError,
    });
    await stream.received(2);
    await append(log, 6, 7);
    await following(relay);
    assert.deepEqual(stream.seqs, [1, 2]);
    subscription.resume();
    await stream.received(6);
    await following(relay);
    assert.deepEqual(stream.seqs, range(1, 6));
    // Read by now to the end, so that the next one is live.
    subscription.resume();
    await stream.received(7);
    await append(log, 8, 8);
    await stream.received(8);
    await append(log, 9, 12);
    await following(relay);
    assert.deepEqual(stream.seqs, range(1, 9));
    subscription.resume();
    await end(log);
    await stream.received(13);
    assert.deepEqual(stream.seqs, range(1, 13));
    assert.deepEqual(stream.errors, []);
  });

  it('goes on with a stream that paused and resumed while its log was being read', async () => {
    await append(log, 1, 3);
    const relay = startRelay();
    const stream = new Stream();
    const subscription = relay.subscribe(jobId, 0, stream);
    subscription.pause();
    subscription.resume();
    subscription.pause();
    await following(relay);
    assert.deepEqual(stream.seqs, []);
    subscription.resume();
    await stream.received(3);
    assert.deepEqual(stream.seqs, range(1, 3));
  });

  it('reads a bounded number of logs at a time, however many streams look into theirs', async () => {
    await append(log, 1, 1);
    let now = 0;
    let most = 0;
    const read = redis.store.lrange.bind(redis.store);
    const watched = Object.assign(Object.create(redis.store) as Redis, {
      lrange: async (...args: [string, number, number]) => {
        most = Math.max(most, ++now);
        const entries = await read(...args);
        now--;
        return entries;
      },
    });
    const relay = new ProgressRelay(watched, redis.blocking('relay'));
    relay.start();
    closing.push(relay);
    const streams = range(1, 1_000).map(() => new Stream());
    for (const stream of streams) relay.subscribe(jobId, 0, stream);
    await Promise.all(streams.map((stream) => stream.received(1)));
    assert.ok(most > 1 && most <= 32, `${most} logs were being read at once`);
  });

  it('says so when the job is gone, or has fewer events than the stream has seen', async () => {
    const relay = startRelay();
    await append(log, 1, 2);
    const failures = [
      ['no-such-job', 0],
      ['no-such-job', 2],
      [jobId, 3],
    ].map(async ([job, cursor]) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      relay.subscribe(String(job), Number(cursor), { onEvent: () => {}, onError: resolve });
      return promise;
    });
    for (const failure of failures) assert.ok((await failure) instanceof LogLostError);
  });

  it('says so when Redis came back without the job that a stream follows', async () => {
    const gate = await openGate();
    closing.push(gate);
    const connections = await store.connect(gate.url);
    const relay = startRelay(connections);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const stream = new Stream();
    relay.subscribe(jobId, 0, { onEvent: stream.onEvent, onError: resolve });
    await append(log, 1, 2);
    await stream.received(2);
    gate.shut();
    await redis.store.del(jobKeys.record(jobId), jobKeys.log(jobId));
    gate.reopen();
    assert.ok((await promise) instanceof LogLostError);
  });

  it('says so when a job has ended and its events are gone', async () => {
    const relay = startRelay();
    await end(log);
    await redis.store.del(jobKeys.log(jobId));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    relay.subscribe(jobId, 0, { onEvent: () => {}, onError: resolve });
    assert.ok((await promise) instanceof LogLostError);
  });

  it('waits with a job that has told nothing yet', async () => {
    const relay = startRelay();
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await following(relay);
    assert.deepEqual(stream.errors, []);
    await end(log);
    await stream.received(1);
    assert.deepEqual(stream.seqs, [1]);
  });

  it('says when a log can not be read', async () => {
    const relay = startRelay();
    const broken = await queueJob(redis.store);
    await redis.store.set(jobKeys.log(broken), 'no list');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    relay.subscribe(broken, 0, { onEvent: () => {}, onError: resolve });
    assert.match(String(await promise), /WRONGTYPE/);
  });

  it('serves the others though one listener throws, and tells that one once', async () => {
    const relay = startRelay();
    const errors: unknown[] = [];
    relay.subscribe(jobId, 0, {
      onEvent: ({ seq }) => {
        if (seq === 1) throw new Error('a broken stream');
      },
      onError: (error) => errors.push(error),
    });
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await following(relay);
    await append(log, 1, 5);
    await stream.received(5);
    assert.deepEqual(stream.seqs, range(1, 5));
    assert.deepEqual(errors.map(String), ['Error: a broken stream']);
  });

  it('uses one connection for any number of streams', async () => {
    const gate = await openGate();
    closing.push(gate);
    const connections = await store.connect(gate.url);
    const relay = startRelay(connections);
    await following(relay);
    const before = gate.connections;
    const streams = range(1, 100).map(() => new Stream());
    for (const stream of streams) relay.subscribe(jobId, 0, stream);
    await append(log, 1, 1);
    await Promise.all(streams.map((stream) => stream.received(1)));
    assert.equal(gate.connections, before);
  });

  it('closes though Redis is away, and tells nothing afterwards', async () => {
    const gate = await openGate();
    closing.push(gate);
    const connections = await store.connect(gate.url, 'fail-fast');
    const relay = startRelay(connections);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await append(log, 1, 1);
    await stream.received(1);
    gate.shut();
    await relay.close();
    gate.reopen();
    await append(log, 2, 2);
    const other = startRelay();
    await following(other);
    assert.deepEqual(stream.seqs, [1]);
  });
});
