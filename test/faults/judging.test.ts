import assert from 'node:assert/strict';
import type { InstanceMessage } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { PreparationError } from './case.ts';
import { differences } from './inventory-differences.ts';
import { eventDifferences } from './judge.ts';
import { runLane } from './lane.ts';
import { problemsOf, type Verdict, verdictOf } from './verdict.ts';

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

  it('report an event that is missing or different in the log', () => {
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

describe('the cases of a lane', () => {
  let log: string[] = [];
  let started = 0;

  beforeEach(() => {
    log = [];
    started = 0;
  });

  it('continue on another system after a lost case', async () => {
    const verdicts = await runAll(['good', 'broken', 'better'], async (name) => {
      if (name === 'broken') throw new Error('the store is unavailable');
      return verdictOf('completed');
    });

    assert.deepEqual(log, ['1 good', '1 broken', '1 stops', '2 better', '2 stops']);
    assert.deepEqual(
      verdicts.map(([, { end }]) => end),
      ['completed', 'lost', 'completed'],
    );
    assert.match(
      problemsOf(verdicts[1]?.[1] ?? verdictOf('lost')).join(),
      /^lost: .*the store is unavailable/,
    );
  });

  it('are prepared again on another system, and lost after three attempts', async () => {
    const verdicts = await runAll(['slow', 'hopeless', 'good'], async (name) => {
      const tried = log.filter((line) => line.endsWith(name)).length;
      if (name === 'hopeless' || (name === 'slow' && tried < 3)) throw new PreparationError('503');
      return verdictOf('completed');
    });

    assert.deepEqual(
      log.filter((line) => !line.endsWith('stops')),
      ['1 slow', '2 slow', '3 slow', '3 hopeless', '4 hopeless', '5 hopeless', '6 good'],
    );
    assert.equal(log.filter((line) => line.endsWith('stops')).length, started);
    assert.deepEqual(
      verdicts.map(([name, { end, lost }]) => [name, end, lost.length]),
      [
        ['slow', 'completed', 0],
        ['hopeless', 'lost', 1],
        ['good', 'completed', 0],
      ],
    );
  });

  it('each have a verdict if systems fail to start or stop', async () => {
    const ends: string[] = [];
    let starts = 0;
    const start = () => {
      starts += 1;
      return Promise.reject(new Error('no port is free'));
    };
    await runLane(['a', 'b'], { start, run: unused }, (name, { end, lost }) =>
      ends.push(`${name} ${end} ${lost.length}`),
    );
    assert.deepEqual(ends, ['a lost 1', 'b lost 1']);
    assert.equal(starts, 6);

    const stopFails = { stop: () => Promise.reject(new Error('it hangs')) };
    const contaminated = async () => ({ ...verdictOf('completed'), isContaminated: true });
    const stubborn = { start: async () => stopFails, run: contaminated };
    await runLane(['c', 'd'], stubborn, (name, { end }) => ends.push(`${name} ${end}`));
    assert.deepEqual(ends.slice(2), ['c completed', 'd completed']);
  });

  /** Runs named cases on systems with a number each. */
  async function runAll(
    names: string[],
    run: (name: string) => Promise<Verdict>,
  ): Promise<[name: string, verdict: Verdict][]> {
    const verdicts: [string, Verdict][] = [];
    const system = {
      async start() {
        const id = ++started;
        const stop = async () => void log.push(`${id} stops`);
        return { id, stop };
      },
      run({ id }: { id: number; stop(): Promise<void> }, name: string) {
        log.push(`${id} ${name}`);
        return run(name);
      },
    };
    await runLane([...names], system, (name, verdict) => verdicts.push([name, verdict]));
    return verdicts;
  }

  function unused(): Promise<Verdict> {
    throw new Error('No case runs without a system.');
  }
});
