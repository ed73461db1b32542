import { storedForms } from '@gateway/core';
import { defineScript } from '@gateway/store';
import { MAKE_DUE } from './make-due.ts';
import { SETTLE, settleKeyNames } from './settle.ts';

/** Returns 1 if an event of some webhook is due. */
export const anyDueScript = defineScript({
  name: 'any due webhook',
  keys: ['due'],
  withClock: true,
  lua: `
    return #redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 1)`,
});

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
      if wasDown or redis.call('HGET', delivery, 'type') == 'webhook.test' then makeDue(id) end
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

/** How many events of a webhook are stored, delivered or not. */
const MAX_DELIVERIES = 1000;

/**
 * Stores an event for each webhook of its project and of the site that is enabled and has chosen its type,
 * once: not for an event that was stored before. `onlyWebhook` is the one that learns of it whatever it has
 * chosen, at once; '' for all. If a webhook has too many events, its oldest ones go. Returns how many of
 * these were not delivered.
 */
export const storeEventScript = defineScript({
  name: 'store an event for webhooks',
  keys: [...settleKeyNames, 'seen', 'ofProject', 'ofSite', 'recordPrefix', 'deliveriesPrefix'],
  args: ['event', 'type', 'body', 'project', 'onlyWebhook', 'seenSeconds', 'keepSeconds'],
  withClock: true,
  lua: `${SETTLE}
    local matched = {}
    local function match(list)
      for _, id in ipairs(redis.call('SMEMBERS', list)) do
        local enabled, events = unpack(redis.call('HMGET', recordPrefix .. id, 'enabled', 'events'))
        local hasChosen = events == '' or string.find(' ' .. (events or '') .. ' ', ' ' .. type .. ' ', 1, true)
        if enabled == '1' and hasChosen then table.insert(matched, id) end
      end
    end
    if onlyWebhook ~= '' then
      if redis.call('HGET', recordPrefix .. onlyWebhook, 'enabled') == '1' then table.insert(matched, onlyWebhook) end
    else
      if project ~= '' then match(ofProject) end
      match(ofSite)
    end
    if #matched == 0 then return 0 end
    if not redis.call('SET', seen, '1', 'NX', 'EX', seenSeconds) then return 0 end
    local createdAt, lost = math.floor(now), 0
    for _, id in ipairs(matched) do
      local member, deliveries = id .. ':' .. event, deliveriesPrefix .. id
      local delivery = deliveryPrefix .. member
      redis.call('HSET', delivery, 'form', ${storedForms.webhookDelivery.version}, 'eventId', event, 'type', type,
        'state', 'pending', 'body', body, 'createdAt', createdAt, 'nextAttemptAt', createdAt)
      redis.call('EXPIRE', delivery, keepSeconds)
      redis.call('ZADD', deliveries, createdAt, event)
      redis.call('ZADD', queuePrefix .. id, createdAt, event)
      local isOfSite = redis.call('HGET', recordPrefix .. id, 'projectId') == ''
      redis.call('ZADD', isOfSite and pendingOfSite or pendingOfProjects, createdAt, member)
      if onlyWebhook ~= '' then redis.call('ZADD', due, now, id)
      else redis.call('ZADD', due, 'NX', createdAt, id) end
      local surplus = redis.call('ZCARD', deliveries) - ${MAX_DELIVERIES}
      if surplus > 0 then
        for _, old in ipairs(redis.call('ZRANGE', deliveries, 0, surplus - 1)) do
          if redis.call('ZSCORE', queuePrefix .. id, old) then
            settle(id, old, 'failed', 'too_many_waiting')
            lost = lost + 1
          end
          redis.call('DEL', deliveryPrefix .. id .. ':' .. old)
          redis.call('ZREM', deliveries, old)
        end
      end
      redis.call('EXPIRE', deliveries, keepSeconds)
    end
    return lost`,
});

/**
 * Changes the settings of a webhook of a project. Nothing more is sent to one that is disabled. One that is
 * enabled again, or has another URL, counts no failures, and gets at once what waits for it. Returns 0 if
 * there is none.
 */
export const updateWebhookScript = defineScript({
  name: 'update a webhook',
  keys: [...settleKeyNames, 'record', 'queue'],
  args: ['id', 'project', '...fields'],
  withClock: true,
  lua: `${SETTLE}${MAKE_DUE}
    local owner, url, enabled = unpack(redis.call('HMGET', record, 'projectId', 'url', 'enabled'))
    if owner ~= project then return 0 end
    redis.call('HSET', record, unpack(fields))
    local newUrl, newEnabled = unpack(redis.call('HMGET', record, 'url', 'enabled'))
    if newEnabled ~= '1' then
      for _, event in ipairs(redis.call('ZRANGE', queue, 0, -1)) do
        settle(id, event, 'failed', 'webhook_disabled')
      end
      return 1
    end
    if newUrl == url and enabled == '1' then return 1 end
    redis.call('HDEL', record, 'disabledReason', 'failures')
    makeDue(id)
    return 1`,
});
