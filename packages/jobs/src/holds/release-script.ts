import { defineScript } from '@gateway/store';
import { APPEND_JOB_CHANGE } from '../changes/append-change.ts';
import { END_HOLD } from '../records/hold-job.ts';

/** Releases a job that is held. Returns 1 if it was held. */
export const releaseScript = defineScript({
  name: 'release a job',
  keys: ['record', 'held', 'listening', 'changes', 'feed'],
  args: ['job', 'project', 'isListed'],
  lua: `${APPEND_JOB_CHANGE}
    ${END_HOLD}
    if endHold() == 0 then return 0 end
    appendJobChange('updated', redis.call('HGET', record, 'status'))
    return 1`,
});
