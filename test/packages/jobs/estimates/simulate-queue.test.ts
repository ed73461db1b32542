import assert from 'node:assert/strict';
import { simulateQueue } from '@gateway/jobs';

type State = Parameters<typeof simulateQueue>[0];

const NOW = 1_000_000;

describe('simulateQueue', () => {
  /** Jobs as `project:id`, each of which holds its slot for 10 s, or for an unknown time with a `?`. */
  function begins(waiting: string[], more: Partial<State> = {}): Record<string, number> {
    const state: State = {
      slots: 2,
      runningLimit: 0,
      running: [],
      lastServed: new Map(),
      waiting: waiting.map((name) => {
        const [projectId = '', id = ''] = name.split(':');
        return { id, projectId, heldMs: name.endsWith('?') ? null : 10_000 };
      }),
      ...more,
    };
    const times = [...simulateQueue(state, NOW)].map(([id, time]) => [id, (time - NOW) / 1000]);
    return Object.fromEntries(times);
  }

  const running = (projectId: string, leftMs: number | null) => ({ projectId, leftMs });

  it('begins jobs in free slots, and others when one ends', () => {
    assert.deepEqual(begins(['p:a', 'q:b', 'p:c']), { a: 0, b: 0, c: 10 });
    assert.deepEqual(begins(['p:a'], { running: [running('q', 3_000), running('r', 5_000)] }), { a: 3 });
  });

  it('serves the project with the fewest jobs, then by time', () => {
    const slots = 1;
    assert.deepEqual(begins(['p:a', 'p:b', 'q:c'], { slots }), { a: 0, c: 10, b: 20 });
    const lastServed = new Map([['p', 5]]);
    assert.deepEqual(begins(['p:a', 'q:b'], { slots, lastServed }), { b: 0, a: 10 });
  });

  it('leaves the last slot to a project without a job', () => {
    assert.deepEqual(begins(['p:a', 'p:b']), { a: 0, b: 10 });
  });

  it('keeps the limit of a project', () => {
    assert.deepEqual(begins(['p:a', 'p:b', 'p:c'], { slots: 9, runningLimit: 2 }), { a: 0, b: 0, c: 10 });
  });

  it('knows nothing behind jobs of unknown length, and without workers', () => {
    assert.deepEqual(begins(['p:a', 'q:b'], { running: [running('p', null), running('p', null)] }), {});
    assert.deepEqual(begins(['p:a?', 'q:b', 'q:c', 'q:d'], { slots: 2 }), { 'a?': 0, b: 0, c: 10, d: 20 });
    assert.deepEqual(begins(['p:a'], { slots: 0 }), {});
  });
});
