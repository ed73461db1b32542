import assert from 'node:assert/strict';
import {
  checkSchedule,
  isDueTime,
  latestDue,
  MAX_SCHEDULE_LENGTH,
  nextDue,
  ScheduleError,
} from '@gateway/auto-backup';
import { CronExpressionParser } from 'cron-parser';

const HOUR = 3600;
const DAY = 24 * HOUR;

function refusal(text: string, minInterval = HOUR): string {
  try {
    checkSchedule(text, minInterval);
  } catch (error) {
    assert.ok(error instanceof ScheduleError, String(error));
    return error.message;
  }
  return assert.fail(`${text} was accepted`);
}

describe('the schedule of an auto backup', () => {
  for (const schedule of [
    '0 * * * *',
    '30 3 * * *',
    '0 0,12 * * *',
    '15 */2 * * mon-fri',
    '0 3 1 jan,jul *',
    '0 0 29 2 *',
    '0 0 31 2 1',
    '5 4 31 * *',
    '0 0 * * 7',
  ]) {
    it(`may be ${schedule}`, () => {
      assert.equal(checkSchedule(schedule, HOUR), schedule);
    });
  }

  it('is stored with single blanks and in lower case', () => {
    assert.equal(checkSchedule(' 0  3 \t* * MON ', HOUR), '0 3 * * mon');
  });

  for (const schedule of [
    '',
    '0 3 * *',
    '0 0 3 * * *',
    '@daily',
    '@hourly',
    'H 3 * * *',
    '0 3 L * *',
    '0 3 ? * *',
    '0 3 * * 5#2',
    '0 3 * * 5L',
    '0 3 15W * *',
    '0 3 * mon *',
    '0 3 * * jan',
    '0;3 * * * *',
    '0 3 * * * ; rm',
  ]) {
    it(`is refused when it is no standard expression of five fields: ${JSON.stringify(schedule)}`, () => {
      assert.match(refusal(schedule), /cron expression of five fields/);
    });
  }

  for (const schedule of [
    '60 3 * * *',
    '0 24 * * *',
    '0 3 0 * *',
    '0 3 32 * *',
    '0 3 * 13 *',
    '0 3 * * 8',
    '0 5-3 * * *',
    '0 3/0 * * *',
  ]) {
    it(`is refused when a value is out of range: ${schedule}`, () => {
      assert.match(refusal(schedule), /times and dates that exist/);
    });
  }

  for (const schedule of ['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
    it(`is refused when no such date exists: ${schedule}`, () => {
      assert.match(refusal(schedule), /times and dates that exist/);
    });
  }

  for (const [schedule, minInterval] of [
    ['* * * * *', HOUR],
    ['*/59 * * * *', HOUR],
    ['0,30 3 * * *', HOUR],
    ['0,59 3 1 1 *', HOUR],
    // Half an hour past midnight is an hour after the last of the day before.
    ['30 0,23 * * *', 2 * HOUR],
    ['0 0 * * *', 2 * DAY],
    ['0 0 * * mon,wed', 3 * DAY],
    ['0 0 1,31 * *', 2 * DAY],
    // The days of the week come between the days of the month.
    ['0 0 15 * mon', 2 * DAY],
    ['0 0 28 2 *', 366 * DAY],
  ] as const) {
    it(`is rejected if due more often than every ${minInterval} s: ${schedule}`, () => {
      assert.match(refusal(schedule, minInterval), /at least \d+ seconds/);
    });
  }

  for (const [schedule, minInterval] of [
    ['* * * * *', 60],
    ['30 0,22 * * *', 2 * HOUR],
    // The day between keeps the last and the first apart.
    ['0 0,23 * * mon', 2 * HOUR],
    ['0 0 * * mon', 7 * DAY],
    ['0 0 1 * *', 28 * DAY],
    ['0 0 28 2 *', 365 * DAY],
  ] as const) {
    it(`may be due every ${minInterval} s: ${schedule}`, () => {
      assert.equal(checkSchedule(schedule, minInterval), schedule);
    });
  }

  it('is rejected if too long, before parsing', () => {
    assert.match(refusal(`${'0,'.repeat(MAX_SCHEDULE_LENGTH)}0 * * * *`), /at most 200 characters/);
  });

  it('finds its smallest interval, including midnight and ends of months', function () {
    this.timeout(120_000);
    const start = Date.parse('2027-12-01T00:00:00Z');
    for (const schedule of ['0 1,5,22 * * *', '30 3 2,30 * fri', '0 0,8 1-31/2 * *', '0 6 * 2,3 sun,tue']) {
      let time = nextDue(schedule, start);
      let smallest = Number.POSITIVE_INFINITY;
      for (let count = 0; count < 800; count += 1) {
        const next = nextDue(schedule, time);
        smallest = Math.min(smallest, (next - time) / 1000);
        time = next;
      }
      assert.equal(checkSchedule(schedule, smallest), schedule);
      assert.match(refusal(schedule, smallest + 60), /at least/, `${schedule} leaves ${smallest} s`);
    }
  });
});

describe('the due times of an auto backup', () => {
  it('are those of the library that the queue uses, in UTC', () => {
    const after = Date.parse('2026-03-29T00:59:59Z');
    const expected = CronExpressionParser.parse('0 3 * * *', { tz: 'UTC', currentDate: new Date(after) });

    assert.equal(nextDue('0 3 * * *', after), expected.next().getTime());
    assert.equal(nextDue('0 3 * * *', after), Date.parse('2026-03-29T03:00:00Z'));
  });

  it('include the current minute in the last one, not in the next', () => {
    const due = Date.parse('2026-11-22T03:00:00Z');

    assert.equal(latestDue('0 3 * * *', due), due);
    assert.equal(latestDue('0 3 * * *', due + 1), due);
    assert.equal(latestDue('0 3 * * *', due - 1), due - 24 * 3_600_000);
    assert.equal(nextDue('0 3 * * *', due), due + 24 * 3_600_000);
    assert.deepEqual([isDueTime('0 3 * * *', due), isDueTime('0 3 * * *', due + 60_000)], [true, false]);
  });

  it('may lie years apart', () => {
    assert.equal(
      nextDue('0 0 29 2 *', Date.parse('2097-01-01T00:00:00Z')),
      Date.parse('2104-02-29T00:00:00Z'),
    );
  });
});
