import { defineScript } from '@gateway/store';
import { STORE_STATE } from './store-state.ts';

/**
 * Stores a report. The same script replaces the secret after a final report, so that a secret is never
 * invalidated without a stored report. `secret`, `report` and each of `next`, the secrets after this one, are
 * hashes. The current secret of a machine has a record of its last report, of the secret that it has
 * replaced, and of those after it. A report with one of these makes it the current one: the store was set
 * back and has missed some. Returns the outcome.
 */
export const acceptReportScript = defineScript({
  name: 'accept a report of a first boot',
  keys: ['secrets', 'state', 'failures'],
  args: [
    'owner',
    'secret',
    'report',
    'boot',
    'sequence',
    'result',
    'newState',
    'now',
    'keepSeconds',
    'failuresSince',
    '...next',
  ],
  lua: `${STORE_STATE}
    local used = redis.call('HGET', secrets, 'used:' .. secret)
    if used then return used == report and 'repeated' or 'refused' end
    local function findCurrent()
      local fields = redis.call('HGETALL', secrets)
      for index = 1, #fields, 2 do
        local hash = string.match(fields[index], '^secret:(.+)$')
        local record = hash and cjson.decode(fields[index + 1])
        if hash == secret then return hash, record end
        for _, ahead in ipairs(record and record.ahead or {}) do
          if ahead == secret then return hash, record end
        end
      end
    end
    local current, last = findCurrent()
    if not current then return 'refused' end
    if last.boot == boot and last.sequence >= tonumber(sequence) then
      return last.report == report and 'repeated' or 'outdated'
    end
    local record = {
      boot = boot, sequence = tonumber(sequence), report = report, replaced = last.replaced, ahead = next
    }
    redis.call('HDEL', secrets, 'secret:' .. current)
    if result == 'running' then
      redis.call('HSET', secrets, 'secret:' .. secret, cjson.encode(record))
    else
      record.replaced = secret
      redis.call('HDEL', secrets, 'used:' .. last.replaced)
      redis.call('HSET', secrets, 'used:' .. secret, report, 'secret:' .. next[1], cjson.encode(record))
    end
    redis.call('EXPIRE', secrets, keepSeconds)
    storeState(result == 'failed')
    return 'accepted'`,
});

/** Stores what the console log says, unless the state has changed since it was read. Returns 1 if stored. */
export const keepConsoleResultScript = defineScript({
  name: 'keep the result of a first boot from the console log',
  keys: ['state', 'failures'],
  args: ['owner', 'expected', 'newState', 'isFailure', 'now', 'keepSeconds', 'failuresSince'],
  lua: `${STORE_STATE}
    if (redis.call('GET', state) or '') ~= expected then return 0 end
    storeState(isFailure == '1')
    return 1`,
});
