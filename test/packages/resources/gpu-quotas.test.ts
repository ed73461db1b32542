import assert from 'node:assert/strict';
import { capByQuota, type GpuQuotas } from '@gateway/resources';

describe('a GPU quota', () => {
  const quota = (available: number): GpuQuotas[string] => ({
    limit: 4,
    in_use: 2,
    available,
    source: 'project',
  });

  it('caps what is available of its type, however the type is written', () => {
    assert.equal(capByQuota({ 'rtx-a6000': quota(2) }, 'RTX A6000', 8), 2);
    assert.equal(capByQuota({ A100: quota(2) }, 'RTX A6000', 8), 8);
  });

  it('caps nothing if it is unlimited or absent', () => {
    assert.equal(capByQuota({ A100: quota(-1) }, 'A100', 8), 8);
    assert.equal(capByQuota({}, 'A100', 8), 8);
  });
});
