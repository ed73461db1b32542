import { defineScript } from '@gateway/store';

/**
 * Stores a webhook, unless its project has as many as it may. Repeating the write changes nothing. `fields`
 * are pairs of record fields. Returns 0 for too many.
 */
export const createWebhookScript = defineScript({
  name: 'create a webhook',
  keys: ['record', 'ofProject', 'all'],
  args: ['id', 'limit', '...fields'],
  lua: `
    if redis.call('EXISTS', record) == 1 then return 1 end
    if redis.call('SCARD', ofProject) >= tonumber(limit) then return 0 end
    redis.call('HSET', record, 'id', id, unpack(fields))
    redis.call('SADD', ofProject, id)
    redis.call('SADD', all, id)
    return 1`,
});
