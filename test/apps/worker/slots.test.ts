import assert from 'node:assert/strict';
import { WorkerSlots } from '../../../apps/worker/src/slots.ts';

describe('slots of a worker', () => {
  it('are not all for one project, unless there is only one', () => {
    const slots = new WorkerSlots({ provisioning: 3, cleanup: 1, upkeep: 5 });
    const taken = ['a', 'a', 'a', 'b', 'a'].map((project) => slots.take('provisioning', project));
    assert.deepEqual(
      taken.map(({ isLastOne }) => isLastOne),
      [false, false, true, false, true],
    );
    assert.equal(slots.take('cleanup', 'a').isLastOne, false);
    for (const slot of taken) slot.release();
    assert.equal(slots.take('provisioning', 'a').isLastOne, false);
  });
});
