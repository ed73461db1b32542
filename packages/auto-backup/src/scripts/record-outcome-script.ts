import { defineScript } from '@gateway/store';

/** Records the outcome of a run (pairs of record fields), unless a later run has recorded its own. */
export const recordOutcomeScript = defineScript({
  name: 'record an outcome',
  keys: ['record', 'failed'],
  args: ['id', 'due', 'isFailure', '...fields'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return 0 end
    local last = redis.call('HGET', record, 'lastRunDue')
    if last and tonumber(last) > tonumber(due) then return 0 end
    redis.call('HSET', record, 'lastRunDue', due, unpack(fields))
    redis.call(isFailure == '1' and 'SADD' or 'SREM', failed, id)
    return 1`,
});
