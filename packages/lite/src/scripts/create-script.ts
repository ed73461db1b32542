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
