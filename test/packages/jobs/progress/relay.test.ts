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
import { openGate } from '../../redis/redis-gate.ts';
import { append, claim, end, JobStore, queueJob } from '../job-store.ts';

/** Records what one stream receives. */
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

  /** Waits until the relay follows the feed and no stream reads its log, so that further events come live. */
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

  it('delivers past events, then live ones, in order, without gaps or duplicates', async () => {
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

  it('resumes after any event that the stream has received', async () => {
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

  it('delivers the same events to every stream of every relay', async () => {
    const [one, two] = [startRelay(), startRelay(await store.connect())];
    const streams = range(1, 10).map((number) => {
      const stream = new Stream();
      (number % 2 === 0 ? one : two).subscribe(jobId, 0, stream);
      return stream;
    });
    // Some join while events are being written.
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

  it('delivers every event once to streams that join during many events', async () => {
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

  it('delivers to a stream only the events of its job', async () => {
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

  it('delivers nothing to a stream after it has left', async () => {
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

  it('delivers no further events to a stream that leaves early', async () => {
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

  it('keeps a stream that joined after another one left twice', async () => {
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

  it('continues if the feed was trimmed before it was read', async () => {
    const relay = startRelay();
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await following(relay);
    await append(log, 1, 1);
    await stream.received(1);
    // One transaction, so that the relay sees the feed only after it was trimmed.
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

  it('catches up from the logs if the feed is too short', async () => {
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
    // The job's last event is trimmed from the feed, so that no later event reveals the gap.
    await end(log);
    const { prefix } = store;
    await redis.queue.xtrim(prefix + jobKeys.feed, 'MAXLEN', 0);
    gate.reopen();
    await stream.received(2);
    assert.deepEqual(stream.seqs, [1, 2]);
  });

  it('misses no event from just before it follows the feed', async () => {
    const feed = redis.blocking('relay');
    await waitUntilReady(feed, 5_000);
    const relay = new ProgressRelay(redis.store, feed);
    closing.push(relay);
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    // The response comes after the log was read and found empty.
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

  it('catches up from the logs if the feed is trimmed', async () => {
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

  /** Events of a job without a stream, which trim all earlier events from the feed. */
  async function pourIntoFeed(count: number): Promise<void> {
    const key = store.prefix + jobKeys.feed;
    const writes = redis.queue.pipeline();
    for (let seq = 1; seq <= count; seq++) writes.xadd(key, '*', 'job', 'x', 'seq', seq, 'entry', '.{}');
    await writes.xtrim(key, 'MAXLEN', count).exec();
  }

  it('continues after its connection was killed, without gaps or duplicates', async () => {
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

  it('reads the logs if a Cluster reports other nodes', async () => {
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

  it('keeps streams open while Redis is unavailable, and delivers what was missed', async () => {
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

  it('delivers any number of past events, in chunks', async () => {
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

  it('delivers nothing to a paused stream, and resumes from the log', async () => {
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
    // The log has been read to its end, so that the next event comes live.
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

  it('continues a stream that was paused and resumed during its read', async () => {
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

  it('limits the number of logs that it reads at a time', async () => {
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

  it('reports a missing job, or fewer events than already received', async () => {
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

  it('reports that Redis came back without the job of a stream', async () => {
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

  it('reports that a job has ended and its events are gone', async () => {
    const relay = startRelay();
    await end(log);
    await redis.store.del(jobKeys.log(jobId));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    relay.subscribe(jobId, 0, { onEvent: () => {}, onError: resolve });
    assert.ok((await promise) instanceof LogLostError);
  });

  it('waits for a job without events', async () => {
    const relay = startRelay();
    const stream = new Stream();
    relay.subscribe(jobId, 0, stream);
    await following(relay);
    assert.deepEqual(stream.errors, []);
    await end(log);
    await stream.received(1);
    assert.deepEqual(stream.seqs, [1]);
  });

  it('reports that a log cannot be read', async () => {
    const relay = startRelay();
    const broken = await queueJob(redis.store);
    await redis.store.set(jobKeys.log(broken), 'no list');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    relay.subscribe(broken, 0, { onEvent: () => {}, onError: resolve });
    assert.match(String(await promise), /WRONGTYPE/);
  });

  it('serves other listeners if one throws, and reports it once', async () => {
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

  it('closes while Redis is unavailable, and delivers nothing afterwards', async () => {
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
