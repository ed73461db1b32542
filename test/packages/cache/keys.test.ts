import assert from 'node:assert/strict';
import { entryKey, generationKey, lockKey } from '@gateway/cache';

/** What a Redis Cluster hashes of a key. */
function hashTag(key: string): string | undefined {
  return /\{([^}]+)\}/.exec(key)?.[1];
}

describe('keys of cached lists', () => {
  it('stand in one slot of a cluster, because one script uses them together', () => {
    const key = { list: 'flavors', projectId: 'p1', userId: 'u1' } as const;
    const tags = [entryKey(key), generationKey(key), lockKey(key, 'g1')].map(hashTag);
    assert.deepEqual(tags, ['p1:flavors:u1', 'p1:flavors:u1', 'p1:flavors:u1']);
  });

  it('differ by generation where locks do', () => {
    const key = { list: 'flavors', projectId: 'p1' } as const;
    assert.notEqual(lockKey(key, 'g1'), lockKey(key, 'g2'));
  });
});
