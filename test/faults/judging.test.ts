import assert from 'node:assert/strict';
import type { InstanceMessage } from '../support/gateway-client.ts';
import { JobWatcher } from '../support/job-watcher.ts';
import { differences } from './inventory-differences.ts';
import { eventDifferences } from './judge.ts';

describe('the checks of the fault suite', () => {
  const before = new Map([['volumes', new Set(['a', 'b'])]]);

  it('report what is left over and what is missing, by type', () => {
    const after = new Map([
      ['volumes', new Set(['b', 'c'])],
      ['ports', new Set(['p'])],
    ]);

    assert.deepEqual(differences(before, before, {}), []);
    assert.deepEqual(differences(before, after, {}), ['volumes +1 -1', 'ports +1 -0']);
  });

  it('require exactly the requested number of resources', () => {
    const more = new Map([['volumes', new Set(['a', 'b', 'c'])]]);
    const less = new Map([['volumes', new Set(['a'])]]);

    assert.deepEqual(differences(before, more, { volumes: 1 }), []);
    assert.deepEqual(differences(before, more, { volumes: 2 }), ['volumes +1 -0 for 2']);
    assert.deepEqual(differences(before, less, { volumes: -1 }), []);
    assert.deepEqual(differences(before, before, { servers: 1 }), ['servers +0 -0 for 1']);
  });

  it('require a resource in place of another one', () => {
    const other = new Map([['volumes', new Set(['b', 'c'])]]);

    assert.deepEqual(differences(before, other, { volumes: [1, 1] }), []);
    assert.deepEqual(differences(before, before, { volumes: [1, 1] }), ['volumes +0 -0 for 1,1']);
  });

  it('report events that are missing, duplicated or after the last one', () => {
    const last = 'COMPLETED';

    assert.deepEqual(watcherOf([1, 'A'], [2, 'B'], [3, last]).problems, []);
    assert.deepEqual(watcherOf([1, 'A'], [3, last]).problems, ['events 1 3']);
    assert.deepEqual(watcherOf([1, 'A'], [1, 'A'], [2, last]).problems, ['events 1 1 2']);
    assert.deepEqual(watcherOf([1, last], [2, 'FAILED']).problems, ['2 last events']);
    assert.deepEqual(watcherOf([1, last], [2, 'A']).problems, ['events after the last one']);
  });

  it('report a step that is announced twice', () => {
    assert.deepEqual(watcherOf([1, 'A'], [2, 'B'], [3, 'A']).repeatedSteps(), ['A (A)']);
  });

  it('report an event that differs between log and stream, or is missing from the log', () => {
    const logged = watcherOf([1, 'A'], [2, 'B']).messages;

    assert.deepEqual(eventDifferences(logged, logged), []);
    assert.match(
      eventDifferences(logged, watcherOf([1, 'A'], [2, 'C']).messages).join(),
      /^event 2 .*"B".*"C"/,
    );
    assert.match(
      eventDifferences(logged, watcherOf([1, 'A']).messages).join(),
      /^event 2 .* stands as nothing$/,
    );
  });

  function watcherOf(...events: [seq: number, step: string][]): JobWatcher {
    const watcher = new JobWatcher();
    for (const [seq, step] of events) {
      const message: InstanceMessage = {
        step,
        message: step,
        progress: 1,
        instance_id: null,
        error: null,
        job_id: 'j-1',
      };
      watcher.seqs.push(seq);
      watcher.messages.push(message);
    }
    return watcher;
  }
});
