import assert from 'node:assert/strict';
import { retryAfterSecondsOf } from '../../../packages/client/src/retry-after.ts';

const NOW = Date.parse('2026-11-30T07:28:00Z');

describe('the time in Retry-After', () => {
  for (const [value, seconds] of [
    ['7', 7],
    ['0', 0],
    [' 7 ', 7],
    ['1.2', 2],
    ['Wed, 02 Dec 2026 07:28:00 GMT', 172_800],
    ['Wednesday, 02-Dec-26 07:28:00 GMT', 172_800],
    ['Wed Dec  2 07:28:00 2026', 172_800],
    ['Tue, 02 Dec 2025 07:28:00 GMT', 0],
    ['soon', null],
    ['5 minutes', null],
    ['-1', null],
    ['Infinity', null],
    ['0x10', null],
    ['', null],
  ] as const) {
    it(`is ${seconds ?? 'unknown'} for "${value}"`, () => {
      assert.equal(retryAfterSecondsOf(new Headers({ 'retry-after': value }), NOW), seconds);
    });
  }

  it('is unknown without the header', () => {
    assert.equal(retryAfterSecondsOf(new Headers()), null);
  });
});
