import assert from 'node:assert/strict';
import { describeKeptStorage } from '@gateway/lite';

describe('the storage that a deleted cluster leaves', () => {
  it('is counted by kind', () => {
    const texts = [
      [2, 1],
      [0, 3],
      [1, 0],
    ].map(([volumes = 0, shares = 0]) => describeKeptStorage({ volumes, shares }));

    assert.deepEqual(
      texts,
      ['2 volumes and 1 share', '3 shares', '1 volume'].map(
        (kinds) =>
          `The data of persistent volume claims was kept: ${kinds}. Delete what is no longer needed.`,
      ),
    );
  });

  it('is not mentioned if there is none', () => {
    assert.equal(describeKeptStorage({ volumes: 0, shares: 0 }), null);
  });
});
