import assert from 'node:assert/strict';
import { nameFor } from '../../../apps/worker/src/sagas/create-instance/saga.ts';

describe("the names of an instance's resources", () => {
  it('keep no half of a character of the instance', () => {
    const context = { jobId: 'job-1', input: { name: `${'n'.repeat(199)}😀${'n'.repeat(50)}` } };

    const name = nameFor(context as Parameters<typeof nameFor>[0], 'boot');

    assert.equal(name, `${'n'.repeat(199)}-boot-job-1`);
  });
});
