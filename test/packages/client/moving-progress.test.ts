import assert from 'node:assert/strict';
import { movingProgress } from '@gateway/client';

const START = Date.parse('2026-01-02T03:00:00Z');
const event = {
  progress: 95,
  estimated_progress: 20,
  estimated_step_progress: 80,
  estimated_step_end_at: '2026-01-02T03:01:00Z',
};

describe('movingProgress', () => {
  /** The bar of an event that arrives at the start, some seconds later. */
  const barAfter = (differences: object, ...seconds: number[]) => {
    let now = START;
    const bar = movingProgress({ ...event, ...differences }, () => now);
    return seconds.map((second) => {
      now = START + second * 1000;
      return bar();
    });
  };

  it('moves to the end of the step, and waits there', () => {
    assert.deepEqual(barAfter({}, 0, 30, 60, 600), [20, 50, 80, 80]);
  });

  it('does not move back when the clock does', () => {
    assert.deepEqual(barAfter({}, -30), [20]);
  });

  it('is at the end of a step that should have ended', () => {
    assert.deepEqual(barAfter({ estimated_step_end_at: '2026-01-02T02:59:00Z' }, 0), [80]);
  });

  it('stands still while nothing is known', () => {
    assert.deepEqual(
      barAfter({ estimated_step_progress: null, estimated_step_end_at: null }, 0, 30),
      [20, 20],
    );
    assert.deepEqual(barAfter({ estimated_progress: null }, 0), [95], 'the job has failed');
  });
});
