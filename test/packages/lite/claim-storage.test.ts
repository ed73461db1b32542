import assert from 'node:assert/strict';
import { describeKeptStorage } from '@gateway/lite';

describe('the storage that a deleted cluster leaves', () => {
  it('is counted by kind', () => {
    const texts = [
      [2, 1],
      [0, 3],
      [1, 0],
      [1, 2, 1],
    ].map(([volumes = 0, shares = 0, snapshots = 0]) => describeKeptStorage({ volumes, shares, snapshots }));

    assert.deepEqual(
      texts,
      ['2 volumes and 1 share', '3 shares', '1 volume', '1 volume and 2 shares, with 1 snapshot'].map(
        (kinds) =>
          `The data of persistent volume claims was kept: ${kinds}. Delete what is no longer needed.`,
      ),
    );
  });

  it('is not mentioned if there is none', () => {
    assert.equal(describeKeptStorage({ volumes: 0, shares: 0, snapshots: 0 }), null);
  });
});
