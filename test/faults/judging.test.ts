import assert from 'node:assert/strict';
import type { InstanceMessage } from '../support/gateway-client.ts';
import { JobWatcher } from '../support/job-watcher.ts';
import { differences } from './inventory-differences.ts';
import { eventDifferences } from './judge.ts';

describe('what the fault suite judges by', () => {
  const before = new Map([['volumes', new Set(['a', 'b'])]]);

  it('sees what is left over, and what is gone, by kind', () => {
    const after = new Map([
      ['volumes', new Set(['b', 'c'])],
      ['ports', new Set(['p'])],
    ]);

    assert.deepEqual(differences(before, before, {}), []);
    assert.deepEqual(differences(before, after, {}), ['volumes +1 -1', 'ports +1 -0']);
  });

  it('wants exactly as many as were asked for', () => {
    const more = new Map([['volumes', new Set(['a', 'b', 'c'])]]);
    const less = new Map([['volumes', new Set(['a'])]]);

    assert.deepEqual(differences(before, more, { volumes: 1 }), []);
    assert.deepEqual(differences(before, more, { volumes: 2 }), ['volumes +1 -0 for 2']);
    assert.deepEqual(differences(before, less, { volumes: -1 }), []);
    assert.deepEqual(differences(before, before, { servers: 1 }), ['servers +0 -0 for 1']);
  });

  it('sees events that are missing, come twice or come after the last one', () => {
    const last = 'COMPLETED';

    assert.deepEqual(watcherOf([1, 'A'], [2, 'B'], [3, last]).problems, []);
    assert.deepEqual(watcherOf([1, 'A'], [3, last]).problems, ['events 1 3']);
    assert.deepEqual(watcherOf([1, 'A'], [1, 'A'], [2, last]).problems, ['events 1 1 2']);
    assert.deepEqual(watcherOf([1, last], [2, 'FAILED']).problems, ['2 last events']);
    assert.deepEqual(watcherOf([1, last], [2, 'A']).problems, ['events after the last one']);
  });

  it('sees a step that is told of twice', () => {
    assert.deepEqual(watcherOf([1, 'A'], [2, 'B'], [3, 'A']).repeatedSteps(), ['A (A)']);
  });

  it('sees an event that stands otherwise in the log than it was told, or not at all', () => {
    const told = watcherOf([1, 'A'], [2, 'B']).messages;

    assert.deepEqual(eventDifferences(told, told), []);
    assert.match(
      eventDifferences(told, watcherOf([1, 'A'], [2, 'C']).messages).join(),
      /^event 2 .*"B".*"C"/,
    );
    assert.match(
      eventDifferences(told, watcherOf([1, 'A']).messages).join(),
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
