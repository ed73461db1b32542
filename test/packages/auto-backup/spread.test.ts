import assert from 'node:assert/strict';
import { beginOf, isOverdue, latestBegun, nextBegin, nextDue } from '@gateway/auto-backup';
import { newId } from '@gateway/core';

const NIGHTLY = '0 2 * * *';
const HOURLY = '0 * * * *';
const DUE = Date.parse('2026-11-22T02:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('the begins of runs that are due at once', () => {
  const volumes = Array.from({ length: 3_000 }, newId);
  const beginsOf = (schedule: string, spreadSeconds: number) =>
    volumes.map((volumeId) => beginOf({ schedule, volumeId }, DUE, spreadSeconds) - DUE);

  it('fill the window evenly, in whole seconds', () => {
    const begins = beginsOf(NIGHTLY, 600);

    for (let minute = 0; minute < 10; minute += 1) {
      const count = begins.filter((ms) => Math.floor(ms / MINUTE_MS) === minute).length;
      assert.ok(count > 200 && count < 400, `minute ${minute}: ${count}`);
    }
    assert.ok(begins.every((ms) => ms >= 0 && ms < 10 * MINUTE_MS && ms % 1000 === 0));
  });

  it('take at most a tenth of the time until the next', () => {
    const begins = beginsOf(HOURLY, 3600);

    assert.ok(Math.max(...begins) < 6 * MINUTE_MS && Math.max(...begins) > 5 * MINUTE_MS);
  });

  it('are the due time without a window', () => {
    assert.deepEqual(new Set(beginsOf(NIGHTLY, 0)), new Set([0]));
  });

  it('are the same for a volume at each due time', () => {
    const scheduled = { schedule: NIGHTLY, volumeId: volumes[0] ?? '' };

    assert.equal(beginOf(scheduled, DUE + DAY_MS, 600) - beginOf(scheduled, DUE, 600), DAY_MS);
  });

  it('decide what is due, and when the next run is', () => {
    const volumeId = volumes.find((id) => beginOf({ schedule: NIGHTLY, volumeId: id }, DUE, 600) > DUE) ?? '';
    const scheduled = { schedule: NIGHTLY, volumeId };
    const begin = beginOf(scheduled, DUE, 600);
    const yesterday = DUE - DAY_MS;

    assert.equal(latestBegun(scheduled, begin - 1, 600), yesterday);
    assert.equal(latestBegun(scheduled, begin, 600), DUE);
    assert.equal(nextBegin({ ...scheduled, handledUntil: yesterday }, begin - 1, 600), begin);
    assert.equal(nextBegin({ ...scheduled, handledUntil: yesterday }, begin, 600), begin + DAY_MS);
    // Set up after the time of the schedule, before its own begin.
    assert.equal(nextBegin({ ...scheduled, handledUntil: DUE + 1 }, DUE + 1, 600), begin + DAY_MS);
  });

  it('are overdue an hour later, unless handled or paused', () => {
    const scheduled = { schedule: NIGHTLY, volumeId: volumes[0] ?? '', handledUntil: DUE - DAY_MS };
    const begin = beginOf(scheduled, DUE, 600);
    const late = begin + 60 * MINUTE_MS;

    assert.equal(isOverdue({ ...scheduled, enabled: true }, late - 1, 600), false);
    assert.equal(isOverdue({ ...scheduled, enabled: true }, late, 600), true);
    assert.equal(isOverdue({ ...scheduled, enabled: true, handledUntil: DUE }, late, 600), false);
    assert.equal(isOverdue({ ...scheduled, enabled: false }, late, 600), false);
  });

  it('follow each gap of a schedule with unequal gaps', () => {
    const schedule = '0 2,3 * * *';
    for (const volumeId of volumes.slice(0, 200)) {
      let due = DUE;
      for (let count = 0; count < 6; count += 1) {
        const next = nextDue(schedule, due);
        const begin = beginOf({ schedule, volumeId }, due, 3600);
        assert.ok(begin < next, volumeId);
        assert.equal(latestBegun({ schedule, volumeId }, begin, 3600), due);
        assert.equal(nextBegin({ schedule, volumeId, handledUntil: 0 }, begin - 1, 3600), begin);
        due = next;
      }
    }
  });
});
