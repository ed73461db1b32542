import { LAST_RELEASED } from '@gateway/jobs';

/**
 * Lua that reads the reservations of jobs that have not ended, and those that are kept for servers, from the
 * keys `reserved` and `recordPrefix`. Removes the reservations of lost jobs.
 */
export const READ_RESERVATIONS = `
  local function readReservations()
    local found, kept = {}, {}
    local all = redis.call('HGETALL', reserved)
    for at = 1, #all, 2 do
      local holder = all[at]
      if holder ~= '${LAST_RELEASED}' then
        local status = redis.call('HGET', recordPrefix .. holder, 'status')
        if status == 'queued' or status == 'running' then
          found[holder] = cjson.decode(all[at + 1])
        elseif status == 'kept' then
          kept[holder] = cjson.decode(all[at + 1])
        else
          redis.call('HDEL', reserved, holder)
        end
      end
    end
    return found, kept
  end`;
