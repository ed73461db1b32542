import assert from 'node:assert/strict';
import { listenerRecord } from '@gateway/openstack';
import { asRecord } from '../../support/doubles/as-record.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

describe('a listener', () => {
  const listener = fixtureBody<object>('load-balancer/listener', 'listener');
  const read = (allowed_cidrs: unknown) =>
    asRecord(listenerRecord, { ...listener, allowed_cidrs }).allowed_cidrs;

  it('is open to all where nothing can restrict it', () => {
    assert.equal(read(null), null);
    assert.equal(read(undefined), null);
  });

  it('is restricted by what can be read, else to nobody', () => {
    assert.deepEqual(read(['192.0.2.0/24', null, 7]), ['192.0.2.0/24']);
    for (const odd of ['192.0.2.0/24', 7, {}, [], [null], true]) assert.deepEqual(read(odd), []);
  });
});
