import { defineScript } from '@gateway/store';

/** Writes to the journal of an ended job that is still kept. */
export const recordAfterEndScript = defineScript({
  name: 'record after the end',
  keys: ['record', 'journal'],
  args: ['field', 'value'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return 0 end
    return redis.call('HSET', journal, field, value)`,
});
