import { RELEASE_RESERVATION } from '@gateway/jobs';
import { defineScript } from '@gateway/store';

/**
 * Releases the GPUs of a record of `holdGpusScript`, and removes the record. `release` is an id that is used
 * once.
 */
export const releaseHeldGpusScript = defineScript({
  name: 'release held GPUs',
  keys: ['record', 'reserved'],
  args: ['holder', 'release'],
  lua: `${RELEASE_RESERVATION}
    releaseReservation(reserved, holder, release)
    return redis.call('DEL', record)`,
});
