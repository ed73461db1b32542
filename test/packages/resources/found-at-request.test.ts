import assert from 'node:assert/strict';
import type { InstanceCreation } from '@gateway/jobs';
import { foundAtRequest } from '@gateway/resources';

/** The input of a job whose request has found an instance's parts at a time. */
function inputOf(at: number): InstanceCreation {
  return { found: { at, networkId: 'net', areQuotasChecked: true } } as InstanceCreation;
}

describe('what the request of a job has found', () => {
  it('is good for a job that starts at once', () => {
    const input = inputOf(Date.now() - 1_000);

    assert.equal(foundAtRequest(input), input.found);
  });

  it('is read again if the job has waited, whatever its clock', () => {
    for (const at of [Date.now() - 60_000, Date.now() + 60_000])
      assert.equal(foundAtRequest(inputOf(at)), undefined);
  });
});
