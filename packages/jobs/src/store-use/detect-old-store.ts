/**
 * Lua function for the scripts that must not act on a store that was set back to an older copy: `isHeld()`
 * returns whether jobs are held, and begins the hold if the store shows that it is old and has something
 * unfinished. All of it is one step, so that of processes that start together the first decides for all.
 *
 * A process that has used the store before compares its entry with its own knowledge of it, and allows for
 * what a failover loses. A process that has just started compares the latest entry with the clock. Processes
 * that stop in order remove their entries, so that a store which nobody uses is not old. Only the clock of
 * the store counts.
 *
 * Keys: the entries of processes, the hold, the unfinished jobs, and what ended jobs have to sweep.
 * Arguments: the id of the process, when it last renewed its entry (0 for never), and the age from which a
 * store is old.
 */
export const detectOldStore = {
  keys: ['uses', 'hold', 'open', 'sweeps'],
  args: ['process', 'renewedAt', 'oldAfterMs'],
  lua: `
  local function newestUse()
    return tonumber(redis.call('ZREVRANGE', uses, 0, 0, 'WITHSCORES')[2] or 0)
  end
  local function ownUse()
    return tonumber(redis.call('ZSCORE', uses, process) or newestUse())
  end
  local function causeOfHold()
    local renewed, newest = tonumber(renewedAt), newestUse()
    if renewed > 0 then
      return renewed - ownUse() > tonumber(oldAfterMs) and 'set_back'
    end
    return newest > 0 and now - newest > tonumber(oldAfterMs) and 'unused'
  end
  local function isHeld()
    if redis.call('EXISTS', hold) == 1 then return true end
    local cause = causeOfHold()
    if not cause or redis.call('ZCARD', open) + redis.call('HLEN', sweeps) == 0 then return false end
    redis.call('HSET', hold, 'cause', cause, 'usedAt', newestUse(), 'heldAt', math.floor(now))
    return true
  end`,
} as const;
