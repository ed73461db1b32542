import assert from 'node:assert/strict';
import { jobKeys, LogLostError } from '@gateway/jobs';
import { append, end, queueJob } from '../stored-jobs.ts';
import { relaySuite, Stream } from './relay-suite.ts';

describe('ProgressRelay that cannot read a log', () => {
  const relays = relaySuite();

  it('reports a missing job, or fewer events than already received', async () => {
    const relay = relays.startRelay();
    await append(relays.log, 1, 2);
    const failures = [
      ['no-such-job', 0],
      ['no-such-job', 2],
      [relays.jobId, 3],
    ].map(async ([job, cursor]) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      relay.subscribe(String(job), Number(cursor), { onEvent: () => {}, onError: resolve });
      return promise;
    });
    for (const failure of failures) assert.ok((await failure) instanceof LogLostError);
  });

  it('reports that Redis came back without the job of a stream', async () => {
    const { gate, connections } = await relays.connectThroughGate();
    const relay = relays.startRelay(connections);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const stream = new Stream();
    relay.subscribe(relays.jobId, 0, { onEvent: stream.onEvent, onError: resolve });
    await append(relays.log, 1, 2);
    await stream.received(2);
    gate.shut();
    await relays.redis.store.del(jobKeys.record(relays.jobId), jobKeys.log(relays.jobId));
    gate.reopen();
    assert.ok((await promise) instanceof LogLostError);
  });

  it('reports that a job has ended and its events are gone', async () => {
    const relay = relays.startRelay();
    await end(relays.log);
    await relays.redis.store.del(jobKeys.log(relays.jobId));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    relay.subscribe(relays.jobId, 0, { onEvent: () => {}, onError: resolve });
    assert.ok((await promise) instanceof LogLostError);
  });

  it('reports that a log cannot be read', async () => {
    const relay = relays.startRelay();
    const broken = await queueJob(relays.redis.store);
    await relays.redis.store.set(jobKeys.log(broken), 'no list');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    relay.subscribe(broken, 0, { onEvent: () => {}, onError: resolve });
    assert.match(String(await promise), /WRONGTYPE/);
  });
});
