/**
 * Lua that stores a state. The instances whose latest boot failed within a day are listed in `failures`. Uses
 * the keys `state` and `failures`, and the arguments `newState`, `owner`, `now`, `keepSeconds` and
 * `failuresSince`.
 */
export const STORE_STATE = `
  local function storeState(isFailure)
    redis.call('SET', state, newState, 'EX', keepSeconds)
    if not isFailure then
      redis.call('ZREM', failures, owner)
      return
    end
    redis.call('ZADD', failures, now, owner)
    redis.call('ZREMRANGEBYSCORE', failures, '-inf', failuresSince)
  end`;
