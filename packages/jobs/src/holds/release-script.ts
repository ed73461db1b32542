import { defineScript } from '@gateway/redis';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { END_HOLD } from '../records/hold-job.ts';

/** Releases a job that is held; one that has not begun waits for a slot again. Returns 1 if it was held. */
export const releaseScript = defineScript({
  name: 'release a job',
  keys: ['record', 'held', 'waiting', 'waitingProjects', 'listening', 'changes', 'feed'],
  args: ['job', 'project', 'isListed'],
  lua: `${APPEND_JOB_CHANGE}
    ${END_HOLD}
    if endHold() == 0 then return 0 end
    local status, createdAt = unpack(redis.call('HMGET', record, 'status', 'createdAt'))
    if status == 'queued' then
      redis.call('ZADD', waiting, createdAt, job)
      redis.call('SADD', waitingProjects, project)
    end
    appendJobChange('updated', status)
    return 1`,
});
