/**
 * Lua functions for scripts that take or release a lock (`lock.ts`) in the same step as other changes:
 * `takeLock(key, holder, ms)` returns whether the holder has got it, `releaseLock(key, holder)` whether the
 * holder still had it.
 */
export const takeLockFunction = `
  local function takeLock(key, holder, ms)
    return redis.call('SET', key, holder, 'PX', ms, 'NX') ~= false
  end`;

export const releaseLockFunction = `
  local function releaseLock(key, holder)
    return redis.call('GET', key) == holder and redis.call('DEL', key) == 1
  end`;
