import assert from 'node:assert/strict';
import { CacheKey, cacheKeyFor, lockKey } from '@gateway/cache';

const reader = { projectId: 'p1', userId: 'u1', roles: ['member', 'admin'] };

/** The part of a key that a Redis Cluster hashes. */
function hashTag(key: string): string | undefined {
  return /\{([^}]+)\}/.exec(key)?.[1];
}

describe('keys of cached lists', () => {
  it('are in one cluster slot per list, because one script uses them', () => {
    const key = cacheKeyFor({ name: 'flavors', varyBy: 'user' }, reader);
    const tags = [key.entry, key.version, key.generation, lockKey(key, 'g1')].map(hashTag);
    assert.deepEqual(tags, Array(4).fill('p1:flavors'));
  });

  it('differ by generation, and so do locks', () => {
    const key = new CacheKey({ list: 'flavors', projectId: 'p1' }, '');
    assert.notEqual(lockKey(key, 'g1'), lockKey(key, 'g2'));
  });

  it('differ only by what the list varies by', () => {
    const readers = [
      reader,
      { ...reader, roles: ['admin', 'member'] },
      { ...reader, roles: ['member'] },
      { ...reader, userId: 'u2' },
      { ...reader, projectId: 'p2' },
    ];
    const sameAsFirst = (varyBy: 'project' | 'roles' | 'user') => {
      const keys = readers.map((each) => cacheKeyFor({ name: 'images', varyBy }, each).entry);
      return keys.map((key) => key === keys[0]);
    };
    assert.deepEqual(sameAsFirst('project'), [true, true, true, true, false]);
    assert.deepEqual(sameAsFirst('roles'), [true, true, false, true, false]);
    assert.deepEqual(sameAsFirst('user'), [true, true, false, false, false]);
  });

  it('differ by roles whose names have commas', () => {
    const entryOf = (roles: string[]) =>
      cacheKeyFor({ name: 'images', varyBy: 'roles' }, { ...reader, roles }).entry;
    assert.notEqual(entryOf(['a,b']), entryOf(['a', 'b']));
  });
});
