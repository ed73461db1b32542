import assert from 'node:assert/strict';
import { jobKeys, ProgressRelay } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { append, end } from '../stored-jobs.ts';
import { range, relaySuite, Stream } from './relay-suite.ts';

describe('ProgressRelay that reads logs', () => {
  const relays = relaySuite();

  /** A relay whose reads of logs pass through `watch`. */
  function startWatchedRelay(watch: (read: () => Promise<string[]>) => Promise<string[]>): ProgressRelay {
    const { store } = relays.redis;
    const lrange = (...args: [string, number, number]) => watch(() => store.lrange(...args));
    const watched = Object.assign(Object.create(store) as Redis, { lrange });
    const relay = new ProgressRelay(watched, relays.redis.blocking('relay'));
    relay.start();
    relays.closeAfterTest(relay);
    return relay;
  }

  it('delivers any number of past events, in chunks', async () => {
    const key = relays.store.prefix + jobKeys.log(relays.jobId);
    const past = range(1, 1_050);
    await relays.redis.queue.rpush(key, ...past.map((n) => `.{"n":${n}}`));
    const reads: number[] = [];
    const relay = startWatchedRelay(async (read) => {
      const entries = await read();
      reads.push(entries.length);
      return entries;
    });
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await stream.received(1_050);
    assert.deepEqual(stream.seqs, past);
    assert.ok(Math.max(...reads) <= 101, `${Math.max(...reads)} events were read at once`);
  });

  it('delivers nothing to a paused stream, and resumes from the log', async () => {
    await append(relays.log, 1, 5);
    const relay = relays.startRelay();
    const stream = new Stream();
    const subscription = relay.subscribe(relays.jobId, 0, {
      onEvent: (event) => {
        stream.onEvent(event);
        if ([2, 6, 9].includes(event.seq)) subscription.pause();
      },
      onError: stream.onError,
    });
    await stream.received(2);
    await append(relays.log, 6, 7);
    await relays.following(relay);
    assert.deepEqual(stream.seqs, [1, 2]);
    subscription.resume();
    await stream.received(6);
    await relays.following(relay);
    assert.deepEqual(stream.seqs, range(1, 6));
    // The log has been read to its end, so that the next event comes live.
    subscription.resume();
    await stream.received(7);
    await append(relays.log, 8, 8);
    await stream.received(8);
    await append(relays.log, 9, 12);
    await relays.following(relay);
    assert.deepEqual(stream.seqs, range(1, 9));
    subscription.resume();
    await end(relays.log);
    await stream.received(13);
    assert.deepEqual(stream.seqs, range(1, 13));
    assert.deepEqual(stream.errors, []);
  });

  it('continues a stream that was paused and resumed during its read', async () => {
    await append(relays.log, 1, 3);
    const relay = relays.startRelay();
    const stream = new Stream();
    const subscription = relay.subscribe(relays.jobId, 0, stream);
    subscription.pause();
    subscription.resume();
    subscription.pause();
    await relays.following(relay);
    assert.deepEqual(stream.seqs, []);
    subscription.resume();
    await stream.received(3);
    assert.deepEqual(stream.seqs, range(1, 3));
  });

  it('limits the number of logs that it reads at a time', async () => {
    await append(relays.log, 1, 1);
    let now = 0;
    let most = 0;
    const relay = startWatchedRelay(async (read) => {
      most = Math.max(most, ++now);
      const entries = await read();
      now--;
      return entries;
    });
    const streams = range(1, 1_000).map(() => new Stream());
    for (const stream of streams) relay.subscribe(relays.jobId, 0, stream);
    await Promise.all(streams.map((stream) => stream.received(1)));
    assert.ok(most > 1 && most <= 32, `${most} logs were being read at once`);
  });
});
