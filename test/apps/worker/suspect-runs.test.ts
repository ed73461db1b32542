import assert from 'node:assert/strict';
import { SuspectRuns } from '../../../apps/worker/src/suspect-runs.ts';

describe('the jobs that are suspected of ending their workers', () => {
  it('run one at a time', () => {
    const runs = new SuspectRuns();
    const end = runs.begin();
    assert.equal(runs.begin(), null);
    end?.();
    assert.ok(runs.begin());
  });
});
