import assert from 'node:assert/strict';
import { FEED_LENGTH, jobKeys, ProgressRelay } from '@gateway/jobs';
import { waitUntilReady } from '@gateway/store';
import { append, end } from '../stored-jobs.ts';
import { range, relaySuite, Stream } from './relay-suite.ts';

describe('ProgressRelay that misses events of the feed', () => {
  const relays = relaySuite();

  it('continues if the feed was trimmed before it was read', async () => {
    const relay = relays.startRelay();
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await relays.following(relay);
    await append(relays.log, 1, 1);
    await stream.received(1);
    // One transaction, so that the relay sees the feed only after it was trimmed.
    const { prefix } = relays.store;
    await relays.redis.queue
      .multi()
      .rpush(prefix + jobKeys.log(relays.jobId), '.{"n":2}', '.{"n":3}')
      .xadd(prefix + jobKeys.feed, '*', 'job', relays.jobId, 'seq', '3', 'entry', '.{"n":3}')
      .xtrim(prefix + jobKeys.feed, 'MAXLEN', 0)
      .exec();
    await append(relays.log, 4, 4);
    await stream.received(4);
    assert.deepEqual(stream.seqs, range(1, 4));
  });

  it('catches up from the logs if the feed is too short', async () => {
    const { gate, connections } = await relays.connectThroughGate();
    const feed = connections.blocking('relay');
    const relay = relays.startRelay(connections, feed);
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await append(relays.log, 1, 1);
    await stream.received(1);
    await relays.following(relay);
    gate.shut();
    // The job's last event is trimmed from the feed, so that no later event reveals the gap.
    await end(relays.log);
    const { prefix } = relays.store;
    await relays.redis.queue.xtrim(prefix + jobKeys.feed, 'MAXLEN', 0);
    gate.reopen();
    await stream.received(2);
    assert.deepEqual(stream.seqs, [1, 2]);
  });

  it('misses no event from just before it follows the feed', async () => {
    const feed = relays.redis.blocking('relay');
    await waitUntilReady(feed, 5_000);
    const relay = new ProgressRelay(relays.redis.store, feed);
    relays.closeAfterTest(relay);
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    // The response comes after the log was read and found empty.
    await relays.redis.store.exists(jobKeys.log(relays.jobId));
    const read = feed.xrevrange.bind(feed) as (...args: unknown[]) => Promise<unknown>;
    feed.xrevrange = (async (...args: unknown[]) => {
      await end(relays.log);
      return read(...args);
    }) as typeof feed.xrevrange;
    relay.start();
    await stream.received(1);
    assert.deepEqual(stream.seqs, [1]);
  });

  it('catches up from the logs if the feed is trimmed', async () => {
    const feed = relays.redis.blocking('relay');
    const relay = new ProgressRelay(relays.redis.store, feed);
    relays.closeAfterTest(relay);
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    const read = feed.xread.bind(feed) as (...args: unknown[]) => Promise<unknown>;
    let isFirst = true;
    feed.xread = (async (...args: unknown[]) => {
      if (isFirst) {
        isFirst = false;
        await relays.redis.store.exists(jobKeys.log(relays.jobId));
        await end(relays.log);
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
    const key = relays.store.prefix + jobKeys.feed;
    const writes = relays.redis.queue.pipeline();
    for (let seq = 1; seq <= count; seq++) writes.xadd(key, '*', 'job', 'x', 'seq', seq, 'entry', '.{}');
    await writes.xtrim(key, 'MAXLEN', count).exec();
  }

  it('continues after its connection was killed, without gaps or duplicates', async () => {
    const feed = relays.redis.blocking('victim');
    const relay = relays.startRelay(relays.redis, feed);
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await append(relays.log, 1, 5);
    await stream.received(5);
    for (let round = 0; round < 3; round++) {
      const from = 6 + round * 10;
      const clients = (await relays.redis.queue.client('LIST')) as string;
      const id = /id=(\d+) .*name=victim /.exec(clients)?.[1];
      assert.ok(id);
      await Promise.all([relays.redis.queue.client('KILL', 'ID', id), append(relays.log, from, from + 9)]);
      await stream.received(from + 9);
    }
    assert.deepEqual(stream.seqs, range(1, 35));
    assert.deepEqual(stream.errors, []);
  });

  it('reads the logs if a Cluster reports other nodes', async () => {
    const feed = relays.redis.blocking('relay');
    const relay = relays.startRelay(relays.redis, feed);
    await relays.following(relay);
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await append(relays.log, 1, 1);
    await stream.received(1);
    await relays.redis.store.rpush(jobKeys.log(relays.jobId), '.{"step":"NOT_IN_THE_FEED"}');

    feed.emit('-node');

    await stream.received(2);
    await append(relays.log, 3, 3);
    await stream.received(3);
    assert.deepEqual(stream.seqs, [1, 2, 3]);
  });

  it('keeps streams open while Redis is unavailable, and delivers what was missed', async () => {
    const { gate, connections } = await relays.connectThroughGate('fail-fast');
    const relay = relays.startRelay(connections);
    const [early, late] = [new Stream(), new Stream()];
    relay.subscribe(relays.jobId, 0, early);
    await append(relays.log, 1, 3);
    await early.received(3);
    gate.shut();
    relay.subscribe(relays.jobId, 1, late);
    await append(relays.log, 4, 8);
    gate.reopen();
    await end(relays.log);
    await Promise.all([early.received(9), late.received(8)]);
    assert.deepEqual([early.seqs, late.seqs], [range(1, 9), range(2, 9)]);
    assert.deepEqual([early.errors, late.errors], [[], []]);
  });

  it('closes while Redis is unavailable, and delivers nothing afterwards', async () => {
    const { gate, connections } = await relays.connectThroughGate('fail-fast');
    const relay = relays.startRelay(connections);
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await append(relays.log, 1, 1);
    await stream.received(1);
    gate.shut();
    await relay.close();
    gate.reopen();
    await append(relays.log, 2, 2);
    const other = relays.startRelay();
    await relays.following(other);
    assert.deepEqual(stream.seqs, [1]);
  });
});
