import { defineScript } from '@gateway/store';
import { STORE_STATE } from './store-state.ts';

/**
 * Stores a report. The same script replaces the secret after a final report, so that a secret is never
 * invalidated without a stored report. `secret`, `next` and `report` are hashes. Each secret has a record of
 * its last report, and of the secret that it has replaced. Returns the outcome.
 */
export const acceptReportScript = defineScript({
  name: 'accept a report of a first boot',
  keys: ['secrets', 'state', 'failures'],
  args: [
    'owner',
    'secret',
    'next',
    'report',
    'boot',
    'sequence',
    'result',
    'newState',
    'now',
    'keepSeconds',
    'failuresSince',
  ],
  lua: `${STORE_STATE}
    local used = redis.call('HGET', secrets, 'used:' .. secret)
    if used then return used == report and 'repeated' or 'refused' end
    local known = redis.call('HGET', secrets, 'secret:' .. secret)
    if not known then return 'refused' end
    local last = cjson.decode(known)
    if last.boot == boot and last.sequence >= tonumber(sequence) then
      return last.report == report and 'repeated' or 'outdated'
    end
    local record = { boot = boot, sequence = tonumber(sequence), report = report, replaced = last.replaced }
    if result == 'running' then
      redis.call('HSET', secrets, 'secret:' .. secret, cjson.encode(record))
    else
      record.replaced = secret
      redis.call('HDEL', secrets, 'secret:' .. secret, 'used:' .. last.replaced)
      redis.call('HSET', secrets, 'used:' .. secret, report, 'secret:' .. next, cjson.encode(record))
    end
    redis.call('EXPIRE', secrets, keepSeconds)
    storeState(result == 'failed')
    return 'accepted'`,
});
