import assert from 'node:assert/strict';
import { parseServerFault } from '@gateway/openstack';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const ID = '7c3b5e1a-95a6-4d3c-8f2e-0d7e1c2b3a4f';

/** Messages of different releases of the compute service. */
const noRoom = [
  'No valid host was found. ',
  'No valid host was found. There are not enough hosts available.',
  'No valid host was found. Reason: No valid host found for cold migrate',
  `Build of instance ${ID} was re-scheduled: Insufficient compute resources: Free memory 12.00 MB < requested 512 MB.`,
  `Build of instance ${ID} aborted: Insufficient compute resources: vGPU resource is not available.`,
  `Exceeded max scheduling attempts 3 for instance ${ID}. Last exception: Insufficient compute resources: Claim pci failed.`,
];

const tried = [
  `Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures for instance ${ID}.`,
  `Exceeded max scheduling attempts 3 for instance ${ID}. Last exception: internal error`,
];

describe('a server fault', () => {
  for (const message of noRoom) {
    it(`is a lack of hosts: ${message}`, () => {
      assert.deepEqual(faultOf(message), { kind: 'no_host', tried: false });
    });
  }

  for (const message of tried) {
    it(`is a failed build on each host: ${message}`, () => {
      assert.deepEqual(faultOf(message), { kind: 'no_host', tried: true });
    });
  }

  it('is a lack of hosts, in a recorded response', () => {
    const server = fixtureBody<{ fault: { code: number; message: string; created: string } }>(
      'compute/server-failed',
      'server',
    );

    assert.deepEqual(parseServerFault(server), { kind: 'no_host', tried: false });
  });

  it('is an exceeded quota', () => {
    const message = 'Quota exceeded for instances: Requested 1, but already used 10 of 10 instances';

    const fault = faultOf(message);

    assert.equal(fault.kind, 'quota');
    assert.equal(
      fault.kind === 'quota' && fault.sentence,
      'The quota for instances is exceeded: 10 allowed, 10 in use, 1 requested.',
    );
  });

  it('is the reason, without the prefix that the service adds', () => {
    const message = `Build of instance ${ID} aborted: Failed to allocate the network(s), not rescheduling.`;

    assert.deepEqual(faultOf(message), {
      kind: 'other',
      reason: 'Failed to allocate the network(s), not rescheduling',
    });
  });

  it('contains no address of a service', () => {
    const message = `Build of instance ${ID} aborted: Unable to establish connection to http://10.0.0.5:9696/v2.0/ports`;

    assert.deepEqual(faultOf(message), { kind: 'other', reason: 'Unable to establish connection to' });
  });

  it('may have no reason', () => {
    assert.deepEqual(parseServerFault({ fault: null }), { kind: 'other', reason: null });
    assert.deepEqual(faultOf(' '), { kind: 'other', reason: null });
  });
});

function faultOf(message: string) {
  return parseServerFault({ fault: { message } });
}
