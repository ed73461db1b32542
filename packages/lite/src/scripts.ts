import { defineScript } from '@gateway/store';

/**
 * Creates a record, unless another cluster of the project has the same name in node names. Repeating the
 * write changes nothing. `fields` are pairs of record fields. Returns the id of the cluster that has the
 * name.
 */
export const createScript = defineScript({
  name: 'create a lite cluster',
  keys: ['record', 'open', 'names', 'ofProject'],
  args: ['id', 'name', 'createdAt', '...fields'],
  lua: `
    local holder = redis.call('HGET', names, name)
    if holder then return holder end
    redis.call('HSET', names, name, id)
    redis.call('SADD', open, id)
    redis.call('ZADD', ofProject, createdAt, id)
    redis.call('HSET', record, unpack(fields))
    return id`,
});

/** Removes all secrets of a record, and the hashes of the tokens of its control node. */
export const destroySecretsScript = defineScript({
  name: 'destroy the secrets of a lite cluster',
  keys: ['record'],
  args: ['prefix'],
  lua: `
    for _, name in ipairs(redis.call('HKEYS', record)) do
      if string.sub(name, 1, #prefix) == prefix then redis.call('HDEL', record, name) end
    end
    return 1`,
});

/** Removes the record of a creation that has made nothing. One of another status stays. */
export const discardScript = defineScript({
  name: 'discard a lite cluster',
  keys: ['record', 'open', 'names', 'ofProject'],
  args: ['id', 'name'],
  lua: `
    local status = redis.call('HGET', record, 'status')
    if status and status ~= '"CREATING"' then return 0 end
    redis.call('DEL', record)
    redis.call('SREM', open, id)
    redis.call('ZREM', ofProject, id)
    if redis.call('HGET', names, name) == id then redis.call('HDEL', names, name) end
    return 1`,
});

/** Records that a DELETED cluster has no resources any more. */
export const finishRemovalScript = defineScript({
  name: 'finish the removal of a lite cluster',
  keys: ['record', 'removing', 'removed'],
  args: ['id', 'at'],
  lua: `
    redis.call('SREM', removing, id)
    if redis.call('HGET', record, 'status') == '"DELETED"' then redis.call('ZADD', removed, at, id) end
    return 1`,
});

/**
 * Writes the record of a cluster of another store (`fields` are pairs of record fields). With `overwrite`, it
 * replaces the stored one. Returns 'created', 'replaced', 'kept' for one that is stored already or is
 * DELETED, or 'taken' if another cluster of the project has the name.
 */
export const importScript = defineScript({
  name: 'import a lite cluster',
  keys: ['record', 'open', 'names', 'ofProject'],
  args: ['id', 'name', 'createdAt', 'overwrite', '...fields'],
  lua: `
    local holder = redis.call('HGET', names, name)
    if holder and holder ~= id then return 'taken' end
    local status = redis.call('HGET', record, 'status')
    if status and (overwrite ~= '1' or status == '"DELETED"') then return 'kept' end
    redis.call('HSET', record, unpack(fields))
    redis.call('HSET', names, name, id)
    redis.call('SADD', open, id)
    redis.call('ZADD', ofProject, createdAt, id)
    return status and 'replaced' or 'created'`,
});

/** Removes the record of a DELETED cluster without resources. */
export const removeRecordScript = defineScript({
  name: 'remove the record of a deleted lite cluster',
  keys: ['record', 'ofProject', 'removing', 'removed'],
  args: ['id'],
  lua: `
    if redis.call('HGET', record, 'status') ~= '"DELETED"' then return 0 end
    if redis.call('SISMEMBER', removing, id) == 1 then return 0 end
    redis.call('DEL', record)
    redis.call('ZREM', ofProject, id)
    redis.call('ZREM', removed, id)
    return 1`,
});

/**
 * Changes a record. A cluster that becomes DELETED loses its name; one that is DELETED never gets another
 * status.
 *
 * `permitted` are statuses as JSON strings, joined by commas; `newStatus` is one of them, or '' for none.
 * `fields` are pairs of record fields. Returns 0 when the record is gone or has another status.
 */
export const updateScript = defineScript({
  name: 'update a lite cluster',
  keys: ['record', 'open', 'names', 'removing'],
  args: ['id', 'name', 'permitted', 'newStatus', '...fields'],
  lua: `
    local status = redis.call('HGET', record, 'status')
    if not status or not string.find(permitted, status, 1, true) then return 0 end
    redis.call('HSET', record, unpack(fields))
    if newStatus == '"DELETED"' then
      redis.call('SREM', open, id)
      redis.call('SADD', removing, id)
      if redis.call('HGET', names, name) == id then redis.call('HDEL', names, name) end
    end
    return 1`,
});
