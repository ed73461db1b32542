import { defineScript } from '@gateway/store';
import { MAKE_DUE } from './make-due.ts';
import { SETTLE, settleKeyNames } from './settle.ts';

/**
 * Writes what an attempt has come to, unless its event no longer waits. `outcome` is `delivered` (what waited
 * for a receiver that had trouble is due now), `gone` (the webhook is disabled, and all that waits for it
 * ends) or `again`: the event is tried after `delayMs`, unless it is too old by then. `isPause` counts a
 * failure of the receiver. A failure at another URL than the present one says nothing about this one.
 *
 * `attempts` and `failures` are the numbers with this attempt, so repeating the write changes nothing.
 * Returns how many events are not sent any more.
 */
export const endAttemptScript = defineScript({
  name: 'end an attempt of a delivery',
  keys: [...settleKeyNames, 'record', 'delivery', 'queue'],
  args: [
    'id',
    'event',
    'url',
    'outcome',
    'responseStatus',
    'error',
    'attempts',
    'failures',
    'delayMs',
    'isPause',
    'maxAgeMs',
  ],
  withClock: true,
  lua: `${SETTLE}${MAKE_DUE}
    if not redis.call('ZSCORE', queue, event) or redis.call('EXISTS', delivery) == 0 then return 0 end
    local at = math.floor(now)
    redis.call('HSET', delivery, 'attempts', attempts, 'lastAttemptAt', at, 'responseStatus', responseStatus,
      'error', error)
    if outcome == 'delivered' then
      settle(id, event, 'delivered', '')
      local wasDown = redis.call('HDEL', record, 'failures') == 1
      if wasDown or redis.call('HGET', delivery, 'type') == 'webhook.test' then makeDue(id, at) end
      return 0
    end
    if redis.call('HGET', record, 'url') ~= url then return 0 end
    if outcome == 'gone' then
      redis.call('HSET', record, 'enabled', '', 'disabledReason', 'gone', 'updatedAt', at)
      local waiting = redis.call('ZRANGE', queue, 0, -1)
      for _, other in ipairs(waiting) do settle(id, other, 'failed', 'webhook_gone') end
      return #waiting
    end
    if isPause == '1' then redis.call('HSET', record, 'failures', failures) end
    if now + delayMs > redis.call('HGET', delivery, 'createdAt') + maxAgeMs then
      settle(id, event, 'failed', error)
      return 1
    end
    redis.call('HSET', delivery, 'nextAttemptAt', math.floor(now + delayMs))
    redis.call('ZADD', queue, now + delayMs, event)
    return 0`,
});
