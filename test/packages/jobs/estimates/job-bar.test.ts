import assert from 'node:assert/strict';
import { advanceBar, durationsOf, estimateAt, type JobBar, stepTimes, UsualDurations } from '@gateway/jobs';

/** Two jobs of a type: a quarter of their time is for A, and one of them has a step of its own. */
const usual = new UsualDurations([
  {
    steps: [
      ['A', 10_000],
      ['B', 30_000],
    ],
    heldMs: 40_000,
  },
  {
    steps: [
      ['A', 10_000],
      ['OPTIONAL', 8_000],
      ['B', 22_000],
    ],
    heldMs: 40_000,
  },
]);

/** The bar after these steps, each at its time in milliseconds. */
function barAfter(steps: readonly [step: string, at: number][], known = usual): JobBar {
  let bar: JobBar | null = null;
  for (const [step, at] of steps) bar = advanceBar(bar, { step, progress: 10 }, known, at);
  assert.ok(bar);
  return bar;
}

const progressAt = (bar: JobBar, now: number) => estimateAt(bar, now).estimated_progress;

describe('the bar of a job', () => {
  it('gives each step its usual share, and moves with time', () => {
    const bar = barAfter([['A', 1_000]]);

    const seen = [0, 1_000, 6_000, 11_000, 60_000].map((now) => progressAt(bar, now));

    assert.deepEqual(seen, [0, 0, 12, 25, 25]);
    assert.equal(estimateAt(bar, 1_000).estimated_step_progress, 25);
  });

  it('continues where the step before usually ends, and is never full early', () => {
    const bar = barAfter([
      ['A', 0],
      ['B', 4_000],
    ]);

    assert.deepEqual(
      [4_000, 17_000, 30_000, 600_000].map((now) => progressAt(bar, now)),
      [25, 62, 99, 99],
    );
  });

  it('counts only jobs that had the step', () => {
    const bar = barAfter([
      ['A', 0],
      ['OPTIONAL', 10_000],
    ]);

    assert.equal(Math.round(bar.to), 45);
    assert.deepEqual(bar.usual, { stepMs: 8_000, afterMs: 22_000 });
  });

  it('estimates the end, which a step that takes longer delays', () => {
    const bar = barAfter([['A', 0]]);
    const endAt = (now: number) => estimateAt(bar, now).estimated_end_at;

    assert.deepEqual([0, 10_000, 25_000].map(endAt), [
      '1970-01-01T00:00:40Z',
      '1970-01-01T00:00:40Z',
      '1970-01-01T00:00:55Z',
    ]);
    assert.equal(estimateAt(bar, 25_000).estimated_step_end_at, '1970-01-01T00:00:25Z');
  });

  it('stands where the messages say while no duration is known', () => {
    const bar = barAfter([['A', 0]], new UsualDurations());
    const later = advanceBar(bar, { step: 'A', progress: 40 }, new UsualDurations(), 5_000);

    assert.deepEqual(estimateAt(later, 9_000), {
      estimated_progress: 40,
      estimated_step_progress: null,
      estimated_step_end_at: null,
      estimated_end_at: null,
    });
    assert.equal(later.since, 0, 'the step has not begun again');
  });

  it('never moves back by a message, new durations or another clock', () => {
    const unknown = advanceBar(null, { step: 'X', progress: 80 }, new UsualDurations(), 0);
    const known = advanceBar(unknown, { step: 'B', progress: 5 }, usual, 1_000);
    const again = advanceBar(known, { step: 'B', progress: 5 }, usual, 9_000);

    assert.deepEqual(
      [0, 500, 1_000].map((now) => progressAt(again, now)),
      [80, 80, 80],
    );
    assert.equal(again, known, 'another message of the step changes nothing');
    const failed = advanceBar(again, { step: 'FAILED', progress: -1 }, usual, 10_000);
    assert.equal(progressAt(failed, 10_000), 99);
  });

  it('measures each step once, also one that was repeated', () => {
    const bar = barAfter([
      ['A', 0],
      ['B', 2_000],
      ['A', 5_000],
    ]);

    assert.deepEqual(durationsOf(bar, 6_000), [
      ['A', 3_000],
      ['B', 3_000],
    ]);
  });

  it('knows when each step began', () => {
    const bar = barAfter([
      ['A', 1_000],
      ['B', 4_000],
      ['C', 9_000],
    ]);

    assert.deepEqual([...stepTimes(bar)].toSorted(), [
      ['A', 1_000],
      ['B', 4_000],
      ['C', 9_000],
    ]);
    assert.equal(stepTimes(null).size, 0);
  });

  it('stands still in steps that take no time', () => {
    const bar = barAfter([['A', 0]], new UsualDurations([{ steps: [['A', 0]], heldMs: 0 }]));

    assert.equal(progressAt(bar, 0), 0);
  });
});
