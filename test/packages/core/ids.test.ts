import assert from 'node:assert/strict';
import { fingerprint, newId, newRequestId, requestIdFrom } from '@gateway/core';

const given = 'req-11111111-2222-4333-8444-555555555555';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('request ids', () => {
  it('are `req-` and a new UUID', () => {
    const id = newRequestId();
    assert.match(id.slice(4), uuid);
    assert.equal(id.slice(0, 4), 'req-');
    assert.notEqual(id, newRequestId());
  });

  it('are taken from the first valid candidate', () => {
    assert.equal(requestIdFrom(given), given);
    assert.equal(requestIdFrom(undefined, 'abc', given), given);
  });

  it('are generated if no candidate is valid', () => {
    const strangers = [
      undefined,
      '',
      given.slice(4),
      given.toUpperCase(),
      `${given}0`,
      ` ${given}`,
      `${given}\n`,
      `${given}\r\nX-Evil: 1`,
      'req-*',
    ];
    for (const stranger of strangers) {
      const id = requestIdFrom(stranger);
      assert.notEqual(id, stranger);
      assert.match(id.slice(4), uuid);
    }
  });
});

describe('newId', () => {
  it('returns different UUIDs', () => {
    assert.match(newId(), uuid);
    assert.notEqual(newId(), newId());
  });
});

describe('fingerprint', () => {
  it('is the same for the same secret, and hides it', () => {
    assert.equal(fingerprint('secret'), fingerprint('secret'));
    assert.notEqual(fingerprint('secret'), fingerprint('secret2'));
    assert.match(fingerprint('secret'), /^[0-9a-f]{64}$/);
  });
});
