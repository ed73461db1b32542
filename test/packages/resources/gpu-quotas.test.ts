import assert from 'node:assert/strict';
import { capByQuota, type GpuQuotas, presentGpuQuotas } from '@gateway/resources';

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

  it('counts what is kept for a resize only until that has ended', async () => {
    const a100 = (count: number) => ({ a100: { type: 'A100', count } });
    const records = {
      limits: { a100: { type: 'A100', limit: 5 } },
      defaults: {},
      reserved: [{ jobId: 's1', gpus: a100(4), isKept: true }],
    };
    const inUse = async (isResizing: boolean) => {
      const list = async () => [{ serverId: 's1', jobId: 'j1', gpus: a100(1), isResizing }];
      return (await presentGpuQuotas(records, list)).A100?.in_use;
    };

    assert.deepEqual([await inUse(true), await inUse(false)], [4, 1]);
  });

  it('caps nothing if it is unlimited or absent', () => {
    assert.equal(capByQuota({ A100: quota(-1) }, 'A100', 8), 8);
    assert.equal(capByQuota({}, 'A100', 8), 8);
  });
});
