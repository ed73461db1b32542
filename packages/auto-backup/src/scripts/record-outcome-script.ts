import { defineScript } from '@gateway/store';

/**
 * Records the outcome of a run (pairs of record fields), unless a later run has recorded its own. Runs of a
 * configuration exclude each other, so that of two, the one whose job was created later is the later one. Due
 * times do not show it: a run by hand may come between a due time and its run.
 */
export const recordOutcomeScript = defineScript({
  name: 'record an outcome',
  keys: ['record', 'failed'],
  args: ['id', 'createdAt', 'isFailure', '...fields'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return 0 end
    local last = redis.call('HGET', record, 'lastRunCreatedAt')
    if last and tonumber(last) > tonumber(createdAt) then return 0 end
    redis.call('HSET', record, 'lastRunCreatedAt', createdAt, unpack(fields))
    redis.call(isFailure == '1' and 'SADD' or 'SREM', failed, id)
    return 1`,
});
