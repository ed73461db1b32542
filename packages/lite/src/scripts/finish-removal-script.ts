import { defineScript } from '@gateway/store';

/** Records that a DELETED cluster has no resources any more. */
export const finishRemovalScript = defineScript({
  name: 'finish the removal of a lite cluster',
  keys: ['record', 'removing', 'removed'],
  args: ['id', 'at'],
  lua: `
    redis.call('SREM', removing, id)
    if redis.call('HGET', record, 'status') == '"DELETED"' then redis.call('ZADD', removed, at, id) end
    return 1`,
});
