import { defineScript } from '@gateway/store';

/**
 * Ends the claim of a webhook: it is due after `pauseMs` at the earliest, when its next event is. There is no
 * pause if a change or a test has made it due since the claim. One without events is not due.
 */
export const releaseWebhookScript = defineScript({
  name: 'release a webhook',
  keys: ['due', 'leases', 'queue'],
  args: ['id', 'lease', 'pauseMs'],
  withClock: true,
  lua: `
    if redis.call('ZSCORE', leases, id) ~= lease then return 0 end
    redis.call('ZREM', leases, id)
    local first = redis.call('ZRANGE', queue, 0, 0, 'WITHSCORES')
    if #first == 0 then return redis.call('ZREM', due, id) end
    local isUrgent = tonumber(redis.call('ZSCORE', due, id) or 0) > tonumber(lease)
    return redis.call('ZADD', due, math.max(isUrgent and now or now + pauseMs, tonumber(first[2])), id)`,
});
