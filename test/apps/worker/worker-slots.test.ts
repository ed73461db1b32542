import assert from 'node:assert/strict';
import { WorkerSlots } from '../../../apps/worker/src/worker-slots.ts';

describe('the slots of a worker', () => {
  it('keep one free for other projects, unless there is only one slot', () => {
    const slots = new WorkerSlots({ provisioning: 3, cleanup: 1, maintenance: 5 });
    const taken = ['a', 'a', 'a', 'b', 'a'].map((project) => slots.take('provisioning', project));
    assert.deepEqual(
      taken.map(({ isLastSlot }) => isLastSlot),
      [false, false, true, false, true],
    );
    assert.equal(slots.take('cleanup', 'a').isLastSlot, false);
    for (const slot of taken) slot.release();
    assert.equal(slots.take('provisioning', 'a').isLastSlot, false);
  });

  it('let one suspect of ending its worker run at a time', () => {
    const slots = new WorkerSlots({ provisioning: 3, cleanup: 1, maintenance: 5 });
    const end = slots.takeSuspect();
    assert.equal(slots.takeSuspect(), null);
    end?.();
    assert.ok(slots.takeSuspect());
  });
});
