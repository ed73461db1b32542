import { defineScript } from '@gateway/store';
import { MAKE_DUE } from './make-due.ts';
import { SETTLE, settleKeyNames } from './settle.ts';

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
    makeDue(id, math.floor(now))
    return 1`,
});
