/** Field of a hash of reservations: the last job whose reservation ended. No job has this id. */
export const LAST_RELEASED = 'released';
/** Longer than a job takes between reading what is in use and reserving. */
const RELEASED_KEPT_SECONDS = 3600;

/**
 * A job can reserve something until its end: a field with its id in a hash, whose key is the field `reservation` of the
 * job's record. The script that writes the last event releases it, so that no reservation outlives its job, whichever
 * process dies, and none is released before the job's end is visible. That script does not know what is reserved: only
 * the scripts that write and count the values of the hash do, such as those of GPUs.
 *
 * `releaseReservation(reserved, holder, release)` ends the reservation of a job or another holder, which may have made
 * what it has reserved by now. `release` differs from those before it: who reads what is in use, and decides later,
 * detects by it that the read is out of date.
 */
export const RELEASE_RESERVATION = `
  local function releaseReservation(reserved, holder, release)
    if redis.call('HDEL', reserved, holder) == 0 then return end
    redis.call('HSET', reserved, '${LAST_RELEASED}', release)
    if redis.call('HLEN', reserved) == 1 then redis.call('EXPIRE', reserved, ${RELEASED_KEPT_SECONDS}) end
  end`;
