import { defineScript } from '@gateway/store';
import { READ_RESERVATIONS } from './gpu-reservations.ts';

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
