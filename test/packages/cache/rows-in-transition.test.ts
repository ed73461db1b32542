import assert from 'node:assert/strict';
import { type RowInTransition, TransitionLimit } from '../../../packages/cache/src/rows-in-transition.ts';
import { TestClock } from '../../support/api/test-clock.ts';

const LIMIT_SECONDS = 1800;
const MINUTE = 60;
const DAY = 24 * 3600;

describe('TransitionLimit', () => {
  let clock: TestClock;
  let limit: TransitionLimit;
  /** What the last read has left for the next one. */
  let stored: string | null;

  beforeEach(() => {
    clock = new TestClock();
    clock.stop();
    limit = new TransitionLimit(LIMIT_SECONDS, clock);
    stored = null;
  });

  /** Reads a list with these rows, and says whether it is in transition. */
  function read(...rows: RowInTransition[]): boolean {
    const judged = limit.judge(rows, stored);
    stored = judged.seen;
    return judged.isInTransition;
  }

  const ago = (seconds: number) => clock.now() - seconds * 1000;
  const row = (changedAt: number | null, state = 'reserved', id = 'v1') => ({ id, state, changedAt });

  it('counts a row by its own time of change', () => {
    assert.equal(read(row(ago(MINUTE))), true);
    stored = null;
    assert.equal(read(row(ago(2 * DAY))), false);
    assert.equal(read(row(ago(2 * DAY)), row(ago(MINUTE), 'creating', 'v2')), true);
  });

  for (const [what, secondsAgo] of [
    ['no time', null],
    ['a time in the future', -9 * 3600],
  ] as const) {
    it(`counts a row with ${what} since it was seen`, () => {
      const time = () => (secondsAgo === null ? null : ago(secondsAgo));
      assert.equal(read(row(time())), true);
      clock.advance(29 * MINUTE);
      assert.equal(read(row(time())), true);
      clock.advance(2 * MINUTE);
      assert.equal(read(row(time())), false);
      clock.advance(3 * DAY);
      assert.equal(read(row(time())), false, 'also after days without a read');
    });
  }

  it('does not count a row anew whose time changes without its state', () => {
    read(row(ago(0)));
    for (let minutes = 0; minutes <= 30; minutes += 10) {
      clock.advance(10 * MINUTE);
      read(row(ago(0)));
    }
    assert.equal(read(row(ago(0))), false);
  });

  it('counts a row whose state has changed, whatever its time', () => {
    assert.equal(read(row(ago(2 * DAY))), false);
    assert.equal(read(row(ago(2 * DAY), 'attaching')), true, 'a clock that is behind');
    assert.equal(read(), false);
    assert.equal(read(row(ago(2 * DAY))), true, 'the same state again');
  });

  it('counts a row that came into its state again while nobody watched', () => {
    assert.equal(read(row(ago(2 * DAY))), false);
    clock.advance(DAY);
    assert.equal(read(row(ago(MINUTE))), true);
    assert.equal(read(row(ago(MINUTE))), true);
  });

  it('counts by the time of the row without a readable record', () => {
    stored = '{"rows":7}';
    assert.equal(read(row(ago(MINUTE))), true);
    stored = 'another form';
    assert.equal(read(row(ago(2 * DAY))), false);
  });

  it('does not extend the time by the clock of another process', () => {
    clock.advance(3600);
    read(row(null));
    clock.advance(-3600);
    assert.equal(read(row(null)), true);
    clock.advance(31 * MINUTE);
    assert.equal(read(row(null)), false);
  });
});
