import { defineScript } from '@gateway/redis';
import { RELEASE_RESERVATION } from '../records/reservations.ts';

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
