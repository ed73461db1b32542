import { defineScript } from '@gateway/store';
import { SETTLE, settleKeyNames } from './settle.ts';

/** Removes a webhook of a project, and its deliveries. Returns 0 if there is none. */
export const removeWebhookScript = defineScript({
  name: 'remove a webhook',
  keys: [...settleKeyNames, 'record', 'ofProject', 'all', 'deliveries', 'queue', 'leases'],
  args: ['id', 'project'],
  lua: `${SETTLE}
    if redis.call('HGET', record, 'projectId') ~= project then return 0 end
    for _, event in ipairs(redis.call('ZRANGE', queue, 0, -1)) do settle(id, event, 'failed', '') end
    for _, event in ipairs(redis.call('ZRANGE', deliveries, 0, -1)) do
      redis.call('DEL', deliveryPrefix .. id .. ':' .. event)
    end
    redis.call('DEL', record, deliveries, queue)
    redis.call('ZREM', due, id)
    redis.call('ZREM', leases, id)
    redis.call('SREM', ofProject, id)
    redis.call('SREM', all, id)
    return 1`,
});
