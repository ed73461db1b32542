import { defineScript, releaseLockFunction } from '@gateway/store';

/** Stores a compressed entry for as long as the entry of this version is stored. */
export const storeCompressedScript = defineScript({
  name: 'store a compressed entry',
  keys: ['compressed', 'version'],
  args: ['currentVersion', 'head', 'body'],
  hasLongArgs: true,
  lua: `
    if redis.call('GET', version) ~= currentVersion then return 0 end
    redis.call('SET', compressed, head .. body, 'PX', redis.call('PTTL', version))
    return 1`,
});

/**
 * Releases the lock, and stores the entry with its version unless the list was dropped since the load began.
 * Returns 1 if it was stored. With `seconds` 0, it is not stored, and an older one is removed. The generation
 * outlives its entries by `moreSeconds`. What was seen in transition (`seenRows`) is stored in any case, and
 * removed if it is ''.
 */
export const storeEntryScript = defineScript({
  name: 'store an entry',
  keys: ['entry', 'version', 'generation', 'lock', 'seen'],
  args: ['currentGeneration', 'loadId', 'head', 'body', 'seconds', 'moreSeconds', 'seenRows', 'seenSeconds'],
  hasLongArgs: true,
  lua: `${releaseLockFunction}
    releaseLock(lock, loadId)
    if seenRows == '' then redis.call('DEL', seen)
    else redis.call('SET', seen, seenRows, 'EX', seenSeconds) end
    if redis.call('GET', generation) ~= currentGeneration then return 0 end
    if tonumber(seconds) <= 0 then
      redis.call('DEL', entry, version)
      return 0
    end
    redis.call('SET', entry, head .. body, 'EX', seconds)
    redis.call('SET', version, currentGeneration .. loadId, 'EX', seconds)
    redis.call('EXPIRE', generation, seconds + moreSeconds)
    return 1`,
});
