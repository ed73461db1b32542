import { LAST_RELEASED } from '@gateway/jobs';
import { defineScript } from '@gateway/store';

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
