import { RELEASE_RESERVATION } from '@gateway/jobs';
import { defineScript } from '@gateway/store';

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
