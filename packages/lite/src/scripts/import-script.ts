import { defineScript } from '@gateway/store';

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
