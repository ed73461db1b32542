import { defineScript } from '@gateway/redis';

/**
 * Releases the lock, and stores the entry with its version unless the list was dropped since the load began.
 * Returns 1 if it was stored. With `seconds` 0, nothing is stored. The generation outlives its entries by
 * `moreSeconds`.
 */
export const storeEntryScript = defineScript({
  name: 'store an entry',
  keys: ['entry', 'version', 'generation', 'lock'],
  args: ['currentGeneration', 'loadId', 'head', 'body', 'seconds', 'moreSeconds'],
  hasLongArgs: true,
  lua: `
    if redis.call('GET', lock) == loadId then redis.call('DEL', lock) end
    if redis.call('GET', generation) ~= currentGeneration or tonumber(seconds) <= 0 then return 0 end
    redis.call('SET', entry, head .. body, 'EX', seconds)
    redis.call('SET', version, currentGeneration .. loadId, 'EX', seconds)
    redis.call('EXPIRE', generation, seconds + moreSeconds)
    return 1`,
});
