import { defineScript } from '@gateway/store';

/** Removes the record of a DELETED cluster without resources. */
export const removeRecordScript = defineScript({
  name: 'remove the record of a deleted lite cluster',
  keys: ['record', 'ofProject', 'removing', 'removed'],
  args: ['id'],
  lua: `
    if redis.call('HGET', record, 'status') ~= '"DELETED"' then return 0 end
    if redis.call('SISMEMBER', removing, id) == 1 then return 0 end
    redis.call('DEL', record)
    redis.call('ZREM', ofProject, id)
    redis.call('ZREM', removed, id)
    return 1`,
});
