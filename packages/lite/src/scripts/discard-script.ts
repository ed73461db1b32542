import { defineScript } from '@gateway/redis';

/** Removes a record that no job works on. */
export const discardScript = defineScript({
  name: 'discard a lite cluster',
  keys: ['record', 'open', 'names', 'ofProject'],
  args: ['id', 'name'],
  lua: `
    redis.call('DEL', record)
    redis.call('SREM', open, id)
    redis.call('ZREM', ofProject, id)
    if redis.call('HGET', names, name) == id then redis.call('HDEL', names, name) end
    return 1`,
});
