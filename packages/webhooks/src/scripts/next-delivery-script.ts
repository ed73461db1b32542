import { defineScript } from '@gateway/store';
import { SETTLE, settleKeyNames } from './settle.ts';

/**
 * Returns how many events of a webhook ended, because they are too old or because nothing is sent to the
 * webhook any more, and then the fields of the webhook and of the event that is due longest, if there is one.
 */
export const nextDeliveryScript = defineScript({
  name: 'next delivery of a webhook',
  keys: [...settleKeyNames, 'record', 'queue', 'deliveries'],
  args: ['id', 'maxAgeMs', 'keepSeconds'],
  withClock: true,
  lua: `${SETTLE}
    if redis.call('HGET', record, 'enabled') ~= '1' then
      local waiting = redis.call('ZRANGE', queue, 0, -1)
      for _, event in ipairs(waiting) do settle(id, event, 'failed', 'webhook_disabled') end
      return { #waiting }
    end
    redis.call('ZREMRANGEBYSCORE', deliveries, '-inf', now - keepSeconds * 1000)
    local expired = 0
    while true do
      local event = redis.call('ZRANGEBYSCORE', queue, '-inf', now, 'LIMIT', 0, 1)[1]
      if not event then return { expired } end
      local delivery = deliveryPrefix .. id .. ':' .. event
      local createdAt = redis.call('HGET', delivery, 'createdAt')
      if createdAt and createdAt + maxAgeMs >= now then
        return { expired, redis.call('HGETALL', record), redis.call('HGETALL', delivery) }
      end
      settle(id, event, 'failed', 'expired')
      expired = expired + 1
    end`,
});
