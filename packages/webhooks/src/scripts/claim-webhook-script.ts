import { defineScript } from '@gateway/store';

/**
 * Returns the webhook whose event is due longest, and the lease, which is the time of the claim. Nobody else
 * gets the webhook until `releaseWebhookScript`; if the caller dies, another one takes over after `leaseMs`.
 */
export const claimWebhookScript = defineScript({
  name: 'claim a webhook',
  keys: ['due', 'leases'],
  args: ['leaseMs'],
  withClock: true,
  lua: `
    redis.call('ZREMRANGEBYSCORE', leases, '-inf', now - leaseMs)
    local enough = redis.call('ZCARD', leases) + 1
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, enough)) do
      if not redis.call('ZSCORE', leases, id) then
        redis.call('ZADD', leases, now, id)
        return { id, redis.call('ZSCORE', leases, id) }
      end
    end
    return {}`,
});
