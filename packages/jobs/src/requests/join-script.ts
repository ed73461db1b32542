import { defineScript } from '@gateway/store';

/**
 * Joins a job, so that it cannot be withdrawn. Returns its status and `queued` ('' for none); null without a
 * job.
 */
export const joinScript = defineScript({
  name: 'join a job',
  keys: ['record'],
  lua: `
    local status, queued = unpack(redis.call('HMGET', record, 'status', 'queued'))
    if not status then return false end
    redis.call('HSET', record, 'joined', '1')
    return { status, queued or '' }`,
});
