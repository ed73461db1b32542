import { defineScript } from '@gateway/store';
import { LIMIT_HANDLED } from './limit-handled.ts';

/**
 * Writes a configuration of another store (`fields` are pairs of record fields). With `overwrite`, it
 * replaces the stored one with its id and another one of the volume, and retires their delegations. That of
 * the stored one stays if it is the same, without `retires`. `expected` is its sealed delegation, or ''.
 *
 * Returns 'created', 'replaced', 'kept' for one that is stored already, 'taken' if the volume has another
 * one, or 'changed' if the stored one has another delegation.
 */
export const importScript = defineScript({
  name: 'import an auto backup',
  keys: ['recordPrefix', 'ofProject', 'all', 'failed', 'retired'],
  args: ['volume', 'id', 'overwrite', 'expected', 'retires', 'version', '...fields'],
  withClock: true,
  lua: `${LIMIT_HANDLED}
    local record = recordPrefix .. id
    local other = redis.call('HGET', ofProject, volume)
    local isStored = redis.call('EXISTS', record) == 1
    if overwrite ~= '1' then
      if other and other ~= id then return 'taken' end
      if isStored then return 'kept' end
    end
    local storedVersion, stored = unpack(redis.call('HMGET', record, 'version', 'delegation'))
    if (stored or '') ~= expected then return 'changed' end
    if stored and retires == '1' then redis.call('HSET', retired, id .. '/' .. storedVersion, stored) end
    if other and other ~= id then
      local otherVersion, delegation = unpack(redis.call('HMGET', recordPrefix .. other, 'version', 'delegation'))
      if delegation then redis.call('HSET', retired, other .. '/' .. otherVersion, delegation) end
      redis.call('DEL', recordPrefix .. other)
      redis.call('SREM', all, other)
      redis.call('SREM', failed, other)
    end
    local nextVersion = math.max(tonumber(storedVersion or 0) + 1, tonumber(version))
    redis.call('HSET', record, 'id', id, 'version', nextVersion, unpack(fields))
    limitHandled(record)
    redis.call('HSET', ofProject, volume, id)
    redis.call('SADD', all, id)
    return (isStored or other) and 'replaced' or 'created'`,
});

/**
 * Records that a due time was handled, and the outcome of a skipped run (pairs of record fields). Returns 0
 * when the configuration is gone, 1 otherwise.
 */
export const markHandledScript = defineScript({
  name: 'mark a due time as handled',
  keys: ['record'],
  args: ['due', '...fields'],
  lua: `
    local handled = redis.call('HGET', record, 'handledUntil')
    if not handled then return 0 end
    if tonumber(handled) >= tonumber(due) then return 1 end
    redis.call('HSET', record, 'handledUntil', due, unpack(fields))
    return 1`,
});

/**
 * Records that the volume of a configuration was not found at `missingAt`, or was found (''). Returns when
 * the volume was first not found; null when it was found, or when the configuration is gone.
 */
export const markMissingScript = defineScript({
  name: 'mark a volume as missing',
  keys: ['record'],
  args: ['missingAt'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return false end
    if missingAt == '' then
      redis.call('HDEL', record, 'missingSince')
      return false
    end
    redis.call('HSETNX', record, 'missingSince', missingAt)
    return redis.call('HGET', record, 'missingSince')`,
});

/**
 * Records the outcome of a run (pairs of record fields), unless a later run has recorded its own. Runs of a
 * configuration exclude each other, so that of two, the one whose job was created later is the later one. Due
 * times do not show it: a run by hand may come between a due time and its run.
 */
export const recordOutcomeScript = defineScript({
  name: 'record an outcome',
  keys: ['record', 'failed'],
  args: ['id', 'createdAt', 'isFailure', '...fields'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return 0 end
    local last = redis.call('HGET', record, 'lastRunCreatedAt')
    if last and tonumber(last) > tonumber(createdAt) then return 0 end
    redis.call('HSET', record, 'lastRunCreatedAt', createdAt, unpack(fields))
    redis.call(isFailure == '1' and 'SADD' or 'SREM', failed, id)
    return 1`,
});

/**
 * Removes the configuration of a volume and retires its delegation. `onlyId` is the only id to remove, or ''
 * for any. Returns the id; null when there is none.
 */
export const removeScript = defineScript({
  name: 'remove an auto backup',
  keys: ['recordPrefix', 'ofProject', 'all', 'failed', 'retired'],
  args: ['volume', 'onlyId'],
  lua: `
    local id = redis.call('HGET', ofProject, volume)
    if not id or (onlyId ~= '' and onlyId ~= id) then return false end
    local record = recordPrefix .. id
    local version, delegation = unpack(redis.call('HMGET', record, 'version', 'delegation'))
    if delegation then redis.call('HSET', retired, id .. '/' .. version, delegation) end
    redis.call('DEL', record)
    redis.call('HDEL', ofProject, volume)
    redis.call('SREM', all, id)
    redis.call('SREM', failed, id)
    return id`,
});

/** Requests a check of the volumes of a project that has configurations. */
export const requestVolumeCheckScript = defineScript({
  name: 'request a volume check',
  keys: ['ofProject', 'volumeChecks'],
  args: ['project', 'check'],
  lua: `
    if redis.call('EXISTS', ofProject) == 0 then return 0 end
    redis.call('HSET', volumeChecks, project, check)
    return 1`,
});

/**
 * Writes a configuration and completes the intent of its delegation. Replaces the configuration of the same
 * volume, which keeps its id and the due times that it has handled of the same schedule, ends its pause and
 * retires its former delegation; the volume is there. Repeating the write changes nothing.
 *
 * `fields` are pairs of record fields. Returns the id; null when the intent is gone or was abandoned.
 */
export const saveScript = defineScript({
  name: 'save an auto backup',
  keys: ['recordPrefix', 'ofProject', 'all', 'intents', 'retired'],
  args: ['volume', 'newId', 'intent', 'intentValue', 'createdAt', '...fields'],
  withClock: true,
  lua: `${LIMIT_HANDLED}
    local id = redis.call('HGET', ofProject, volume)
    if id and redis.call('HGET', recordPrefix .. id, 'intent') == intent then return id end
    if redis.call('HGET', intents, intent) ~= intentValue then return false end
    redis.call('HDEL', intents, intent)
    if not id then
      id = newId
      redis.call('HSET', ofProject, volume, id)
      redis.call('SADD', all, id)
    end
    local record = recordPrefix .. id
    local version, delegation, schedule, handled, enabled =
      unpack(redis.call('HMGET', record, 'version', 'delegation', 'schedule', 'handledUntil', 'enabled'))
    if delegation then redis.call('HSET', retired, id .. '/' .. version, delegation) end
    redis.call('HSETNX', record, 'createdAt', createdAt)
    redis.call('HINCRBY', record, 'version', 1)
    redis.call('HSET', record, 'id', id, 'intent', intent, unpack(fields))
    redis.call('HDEL', record, 'missingSince')
    if enabled == '1' and redis.call('HGET', record, 'schedule') == schedule then
      redis.call('HSET', record, 'handledUntil', handled)
    end
    limitHandled(record)
    return id`,
});

/**
 * Pauses ('0') or resumes ('1') the configuration of a volume. Due times during a pause do not count. Returns
 * the id; null when there is none.
 */
export const setEnabledScript = defineScript({
  name: 'pause or resume an auto backup',
  keys: ['recordPrefix', 'ofProject'],
  args: ['volume', 'enabled', 'at'],
  withClock: true,
  lua: `${LIMIT_HANDLED}
    local id = redis.call('HGET', ofProject, volume)
    if not id then return false end
    local record = recordPrefix .. id
    local before, handled = unpack(redis.call('HMGET', record, 'enabled', 'handledUntil'))
    if enabled == '1' then
      if before ~= '1' and handled and tonumber(handled) < tonumber(at) then
        redis.call('HSET', record, 'handledUntil', at)
      end
      limitHandled(record)
    end
    if before == enabled then return id end
    redis.call('HSET', record, 'enabled', enabled, 'updatedAt', at)
    redis.call('HINCRBY', record, 'version', 1)
    return id`,
});

/**
 * Takes a place among the runs at once (`limit`, 0 for no limit). Returns 1, also for a configuration that
 * has one; otherwise 0, and the configuration waits.
 */
export const takePlaceScript = defineScript({
  name: 'take a place among the runs',
  keys: ['running', 'waiting'],
  args: ['id', 'limit'],
  withClock: true,
  lua: `
    local most = tonumber(limit)
    if most > 0 and redis.call('ZCARD', running) >= most and not redis.call('ZSCORE', running, id) then
      redis.call('ZADD', waiting, 'NX', now, id)
      return 0
    end
    redis.call('ZADD', running, now, id)
    redis.call('ZREM', waiting, id)
    return 1`,
});
