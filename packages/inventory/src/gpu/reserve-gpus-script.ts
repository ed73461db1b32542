import { LAST_RELEASED } from '@gateway/jobs';
import { defineScript } from '@gateway/store';
import { READ_RESERVATIONS } from './gpu-reservations.ts';

/**
 * Reserves GPUs for a job, unless the project would exceed a quota. The quota counts the GPUs of the
 * project's servers, which the caller has listed, and the reservations. A server of a job with a reservation
 * counts only as part of the reservation. A job may create a server and end while the caller reads the list,
 * so a list from before the last release is refused. A repeated reservation of the same job replaces the
 * earlier one. A reservation that is kept for a server counts while the list shows that it is being resized.
 *
 * `requested` is JSON of `GpuCounts`, `servers` JSON of `ServerGpus[]`, or '' before the servers were
 * listed. `lastRelease` is the last release before the list was read.
 *
 * Returns { 'reserved' }, { 'ended' } for a job that is not running, { 'list', last release } if the servers
 * have to be listed first, or { 'exceeded', JSON of what is exceeded }. See decision 39.
 */
export const reserveGpusScript = defineScript({
  name: 'reserve GPUs',
  keys: ['recordPrefix', 'record', 'reserved', 'quotas', 'defaults'],
  args: ['job', 'requested', 'servers', 'lastRelease'],
  lua: `${READ_RESERVATIONS}
    if redis.call('HGET', record, 'status') ~= 'running' then return { 'ended' } end
    local wanted = cjson.decode(requested)
    local limits = {}
    for key in pairs(wanted) do
      local quota = redis.call('HGET', quotas, key) or redis.call('HGET', defaults, key)
      local limit = quota and cjson.decode(quota).limit
      if limit and limit >= 0 then limits[key] = limit end
    end
    if next(limits) then
      local released = redis.call('HGET', reserved, '${LAST_RELEASED}') or ''
      if servers == '' or lastRelease ~= released then return { 'list', released } end
      local used = {}
      local function add(gpus)
        for key, gpu in pairs(gpus) do used[key] = (used[key] or 0) + gpu.count end
      end
      local reservations, kept = readReservations()
      local listed = cjson.decode(servers)
      for _, server in ipairs(listed) do
        if server.isResizing then reservations[server.serverId] = kept[server.serverId] end
      end
      for holder, gpus in pairs(reservations) do
        if holder ~= job then add(gpus) end
      end
      for _, server in ipairs(listed) do
        local isOwn = server.jobId == job or server.serverId == job
        local isReserved = reservations[server.jobId] or reservations[server.serverId or '']
        if not isOwn and not isReserved then add(server.gpus) end
      end
      local exceeded = {}
      for key, limit in pairs(limits) do
        local gpu = wanted[key]
        local inUse = used[key] or 0
        if inUse + gpu.count > limit then
          table.insert(exceeded, { type = gpu.type, limit = limit, inUse = inUse, requested = gpu.count })
        end
      end
      if #exceeded > 0 then return { 'exceeded', cjson.encode(exceeded) } end
    end
    redis.call('HSET', reserved, job, requested)
    redis.call('PERSIST', reserved)
    redis.call('HSET', record, 'reservation', reserved)
    return { 'reserved' }`,
});
