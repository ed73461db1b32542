import assert from 'node:assert/strict';
import { reduceForwardedFor } from '../../../apps/api/src/http/request/client-address.ts';

function reduced(value: string): string | string[] | undefined {
  const headers = { 'x-forwarded-for': value };
  reduceForwardedFor({ headers });
  return headers['x-forwarded-for'];
}

describe('X-Forwarded-For', () => {
  for (const [value, addresses] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:40001', '203.0.113.7'],
    ['[2001:db8::7]:40001', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:db8:0:0:0:0:0:7:40001', '2001:db8:0:0:0:0:0:7'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    ['[::ffff:203.0.113.7]:40001', '::ffff:203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['for="[2001:db8::7]:4711";proto=https', '2001:db8::7'],
    ['For=203.0.113.7', '203.0.113.7'],
    ['203.0.113.66:51234, 127.0.0.1:40001', '203.0.113.66, 127.0.0.1'],
    [' 203.0.113.66 ,, 127.0.0.1 ', '203.0.113.66, 127.0.0.1'],
    ['198.51.100.1, unknown, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, _hidden', undefined],
    ['unknown', undefined],
    ['', undefined],
    ['203.0.113.7:123456', undefined],
  ] as const) {
    it(`has ${addresses ?? 'no address'} for "${value}"`, () => {
      assert.equal(reduced(value), addresses);
    });
  }
});
