import { storedForms } from '@gateway/core';
import { defineScript } from '@gateway/store';
import { SETTLE, settleKeyNames } from './settle.ts';

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
      if onlyWebhook ~= '' then redis.call('ZADD', due, createdAt, id)
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
