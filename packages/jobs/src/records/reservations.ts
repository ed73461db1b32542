/** Field of a hash of reservations: the last job whose reservation ended. No job has this id. */
export const LAST_RELEASED = 'released';
/** Longer than a job takes between reading what is in use and reserving. */
const RELEASED_KEPT_SECONDS = 3600;

/**
 * A job can reserve something until its end. The reservation is a field with the job's id in a hash; the
 * record's field `reservation` has the key of the hash. The script that writes the last event also releases
 * the reservation, so that no reservation outlives its job, even if a process dies. That script does not know
 * what is reserved. Only the scripts that write and count the values of the hash do, such as those of GPUs.
 *
 * `releaseReservation(reserved, holder, release)` ends the reservation of a job or another holder, which may
 * have created what it had reserved. `release` differs from all earlier values. A script that decides by a
 * list of what exists compares it with the value from before the list was read, and so detects an outdated
 * list.
 */
export const RELEASE_RESERVATION = `
  local function releaseReservation(reserved, holder, release)
    if redis.call('HDEL', reserved, holder) == 0 then return end
    redis.call('HSET', reserved, '${LAST_RELEASED}', release)
    if redis.call('HLEN', reserved) == 1 then redis.call('EXPIRE', reserved, ${RELEASED_KEPT_SECONDS}) end
  end`;
