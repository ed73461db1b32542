import assert from 'node:assert/strict';
import { isNoteworthy, readableLine } from '../../scripts/log-lines.ts';

describe('a line of output from npm start', () => {
  it('is a readable log line after the name of its process', () => {
    const line = JSON.stringify({
      time: '2026-01-02T03:04:05.678Z',
      level: 'warn',
      app: 'api',
      gateway: 'gateway',
      region: 'RegionOne',
      message: 'Request',
      status: 404,
      route: '/api',
      reason: 'a b',
    });

    assert.equal(
      readableLine('api', line),
      'api      | 03:04:05 WARN  Request status=404 route=/api reason="a b"',
    );
    assert.equal(isNoteworthy(line), true);
  });

  it('contains no control characters', () => {
    const sequence = '\u001b]0;owned\u0007\u009b2J\u202e';
    const escaped = '\\u001b]0;owned\\u0007\\u009b2J\\u202e';

    assert.equal(readableLine('redis', `a${sequence}\r`), `redis    | a${escaped}\\u000d`);
    assert.equal(
      readableLine('api', JSON.stringify({ message: `b${sequence}\n`, [`c${sequence}`]: 1, name: sequence })),
      `api      | b${escaped}\\u000a c${escaped}=1 name=${escaped}`,
    );
  });

  it('may be JSON that is not a log line', () => {
    assert.equal(
      readableLine('api', '{"time":5,"level":7,"message":{"a":1}}'),
      'api      | 7     [object Object]',
    );
  });
});
