import assert from 'node:assert/strict';
import { append, claim, end, queueJob } from '../stored-jobs.ts';
import { range, relaySuite, Stream } from './relay-suite.ts';

describe('ProgressRelay', () => {
  const relays = relaySuite();

  it('delivers past events, then live ones, in order, without gaps or duplicates', async () => {
    const relay = relays.startRelay();
    await append(relays.log, 1, 20);
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await append(relays.log, 21, 40);
    await stream.received(40);
    await end(relays.log);
    await stream.received(41);
    assert.deepEqual(stream.seqs, range(1, 41));
    assert.deepEqual(
      stream.events.map(({ last }) => last),
      [...Array(40).fill(false), true],
    );
  });

  it('resumes after any event that the stream has received', async () => {
    await append(relays.log, 1, 6);
    const relay = relays.startRelay();
    const streams = range(0, 7).map((cursor) => {
      const stream = new Stream();
      relay.subscribe(relays.jobId, cursor, stream);
      return { cursor, stream };
    });
    await end(relays.log);
    for (const { cursor, stream } of streams) {
      if (cursor < 7) await stream.received(7 - cursor);
      assert.deepEqual(stream.seqs, range(cursor + 1, 7), `after event ${cursor}`);
    }
  });

  it('delivers the same events to every stream of every relay', async () => {
    const [one, two] = [relays.startRelay(), relays.startRelay(await relays.store.connect())];
    const streams = range(1, 10).map((number) => {
      const stream = new Stream();
      (number % 2 === 0 ? one : two).subscribe(relays.jobId, 0, stream);
      return stream;
    });
    // Some join while events are being written.
    for (let n = 1; n <= 50; n++) {
      await append(relays.log, n, n);
      const late = new Stream();
      (n % 2 === 0 ? one : two).subscribe(relays.jobId, n % Math.min(n, 7), late);
    }
    await end(relays.log);
    for (const stream of streams) {
      await stream.received(51);
      assert.deepEqual(stream.seqs, range(1, 51));
    }
  });

  it('delivers every event once to streams that join during many events', async () => {
    const relay = relays.startRelay();
    const streams: { stream: Stream; cursor: number }[] = [];
    await append(relays.log, 1, 4);
    const writing = append(relays.log, 5, 300).then(() => end(relays.log));
    for (let n = 0; n < 60; n++) {
      const stream = new Stream();
      const cursor = n % 5;
      relay.subscribe(relays.jobId, cursor, stream);
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
    const relay = relays.startRelay();
    const other = await queueJob(relays.redis.store);
    const otherLog = await claim(relays.redis.store, other);
    const [mine, theirs] = [new Stream(), new Stream()];
    relay.subscribe(relays.jobId, 0, mine);
    relay.subscribe(other, 0, theirs);
    await append(relays.log, 1, 3);
    await append(otherLog, 1, 2);
    await Promise.all([mine.received(3), theirs.received(2)]);
    assert.deepEqual([mine.seqs, theirs.seqs], [range(1, 3), range(1, 2)]);
  });

  it('delivers nothing to a stream after it has left', async () => {
    const relay = relays.startRelay();
    const [gone, stays] = [new Stream(), new Stream()];
    const leaving = relay.subscribe(relays.jobId, 0, gone);
    relay.subscribe(relays.jobId, 0, stays);
    await append(relays.log, 1, 1);
    await gone.received(1);
    leaving.close();
    await append(relays.log, 2, 3);
    await stays.received(3);
    assert.deepEqual(gone.seqs, [1]);
  });

  it('delivers no further events to a stream that leaves early', async () => {
    await append(relays.log, 1, 5);
    const relay = relays.startRelay();
    const stream = new Stream();
    const leaving = relay.subscribe(relays.jobId, 0, {
      onEvent: (event) => {
        stream.onEvent(event);
        leaving.close();
      },
      onError: stream.onError,
    });
    const other = new Stream();
    relay.subscribe(relays.jobId, 0, other);
    await other.received(5);
    assert.deepEqual(stream.seqs, [1]);
  });

  it('keeps a stream that joined after another one left twice', async () => {
    const relay = relays.startRelay();
    const leaving = relay.subscribe(relays.jobId, 0, new Stream());
    leaving.close();
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await relays.following(relay);
    leaving.close();
    await append(relays.log, 1, 2);
    await stream.received(2);
    assert.deepEqual(stream.seqs, [1, 2]);
  });

  it('waits for a job without events', async () => {
    const relay = relays.startRelay();
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await relays.following(relay);
    assert.deepEqual(stream.errors, []);
    await end(relays.log);
    await stream.received(1);
    assert.deepEqual(stream.seqs, [1]);
  });

  it('serves other listeners if one throws, and reports it once', async () => {
    const relay = relays.startRelay();
    const errors: unknown[] = [];
    relay.subscribe(relays.jobId, 0, {
      onEvent: ({ seq }) => {
        if (seq === 1) throw new Error('a broken stream');
      },
      onError: (error) => errors.push(error),
    });
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, stream);
    await relays.following(relay);
    await append(relays.log, 1, 5);
    await stream.received(5);
    assert.deepEqual(stream.seqs, range(1, 5));
    assert.deepEqual(errors.map(String), ['Error: a broken stream']);
  });

  it('uses one connection for any number of streams', async () => {
    const { gate, connections } = await relays.connectThroughGate();
    const relay = relays.startRelay(connections);
    await relays.following(relay);
    const before = gate.connections;
    const streams = range(1, 100).map(() => new Stream());
    for (const stream of streams) relay.subscribe(relays.jobId, 0, stream);
    await append(relays.log, 1, 1);
    await Promise.all(streams.map((stream) => stream.received(1)));
    assert.equal(gate.connections, before);
  });
});
