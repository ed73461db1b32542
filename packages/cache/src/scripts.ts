/** Returns the generation; starts one if there is none. KEYS: 1 generation. ARGV: 1 new generation, 2 seconds. */
export const GENERATION_SCRIPT = `
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2], 'NX')
  return redis.call('GET', KEYS[1])`;

/**
 * Releases the lock, and stores the entry with its version unless the list was dropped since the read began. Returns
 * whether it did. A generation outlives its entries.
 *
 * KEYS: 1 entry, 2 generation, 3 lock, 4 version. ARGV: 1 generation, 2 entry, 3 seconds (0: do not store), 4 id of the
 * read, which holds the lock, 5 seconds by which the generation outlives the entry.
 */
export const STORE_SCRIPT = `
  if redis.call('GET', KEYS[3]) == ARGV[4] then redis.call('DEL', KEYS[3]) end
  if redis.call('GET', KEYS[2]) ~= ARGV[1] or tonumber(ARGV[3]) <= 0 then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
  redis.call('SET', KEYS[4], ARGV[1] .. ARGV[4], 'EX', ARGV[3])
  redis.call('EXPIRE', KEYS[2], ARGV[3] + ARGV[5])
  return 1`;

/** Releases a lock if the caller still holds it. KEYS: 1 lock. ARGV: 1 holder. */
export const UNLOCK_SCRIPT = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/** Stores a compressed entry for as long as the entry of this version is stored. KEYS: 1 compressed entry, 2 version. ARGV: 1 version, 2 compressed entry. */
export const STORE_ENCODED_SCRIPT = `
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', redis.call('PTTL', KEYS[2]))
  return 1`;
