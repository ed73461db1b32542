import { LAST_RELEASED, RELEASE_RESERVATION } from '@gateway/jobs';
import { defineScript } from '@gateway/store';
import { READ_RESERVATIONS } from './gpu-reservations.ts';

/**
 * Creates a record that reserves GPUs in place of a job's record, and expires. One that is kept lasts at
 * least as long as before.
 */
export const holdGpusScript = defineScript({
  name: 'hold GPUs',
  keys: ['record'],
  args: ['seconds'],
  lua: `
    redis.call('HSET', record, 'status', 'running')
    if redis.call('TTL', record) < tonumber(seconds) then redis.call('EXPIRE', record, seconds) end`,
});

/**
 * Keeps the GPUs of a record of `holdGpusScript` after its request: they count while a list of the servers
 * shows that the server is being resized. A list that was read before is refused. `gpus` is JSON of
 * `GpuCounts`, `release` an id that is used once.
 */
export const keepGpusScript = defineScript({
  name: 'keep GPUs',
  keys: ['record', 'reserved'],
  args: ['holder', 'gpus', 'release', 'seconds'],
  lua: `
    redis.call('HSET', record, 'status', 'kept', 'kept', gpus)
    redis.call('EXPIRE', record, seconds)
    redis.call('HSET', reserved, holder, gpus, '${LAST_RELEASED}', release)
    return redis.call('PERSIST', reserved)`,
});

/**
 * Returns the next cursor and some of the projects with quotas of their own. `quotasPrefix` is the key of
 * such quotas without the project. The cursor '0' begins, and ends the list.
 */
export const listQuotaOwnersScript = defineScript({
  name: 'list the owners of GPU quotas',
  keys: ['quotasPrefix'],
  args: ['cursor'],
  lua: `
    local page = redis.call('SCAN', cursor, 'COUNT', 1000)
    local found = {}
    for _, key in ipairs(page[2]) do
      if string.sub(key, 1, #quotasPrefix) == quotasPrefix then
        table.insert(found, string.sub(key, #quotasPrefix + 1))
      end
    end
    return { page[1], found }`,
});

/**
 * Returns the fields of a project's quotas, those of the defaults, and the project's reservations as JSON.
 */
export const readGpusScript = defineScript({
  name: 'read GPUs',
  keys: ['recordPrefix', 'reserved', 'quotas', 'defaults'],
  lua: `${READ_RESERVATIONS}
    local list = {}
    local found, kept = readReservations()
    for holder, gpus in pairs(found) do
      table.insert(list, cjson.encode({ jobId = holder, gpus = gpus }))
    end
    for holder, gpus in pairs(kept) do
      table.insert(list, cjson.encode({ jobId = holder, gpus = gpus, isKept = true }))
    end
    return { redis.call('HGETALL', quotas), redis.call('HGETALL', defaults), list }`,
});

/**
 * Releases the GPUs of a record of `holdGpusScript`, and removes the record. What `keepGpusScript` has kept
 * for another request stays. `release` is an id that is used once.
 */
export const releaseHeldGpusScript = defineScript({
  name: 'release held GPUs',
  keys: ['record', 'reserved'],
  args: ['holder', 'release'],
  lua: `${RELEASE_RESERVATION}
    local kept = redis.call('HGET', record, 'kept')
    if kept then
      redis.call('HSET', record, 'status', 'kept')
      return redis.call('HSET', reserved, holder, kept)
    end
    releaseReservation(reserved, holder, release)
    return redis.call('DEL', record)`,
});
