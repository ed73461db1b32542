import { defineScript } from '@gateway/store';

/**
 * Stores the hash of a secret with which the control node may report, in the record of a cluster that is
 * being created. Returns 0 for any other cluster.
 */
export const issueTokenScript = defineScript({
  name: 'issue a token for the reports of a control node',
  keys: ['record'],
  args: ['field'],
  lua: `
    if redis.call('HGET', record, 'status') ~= '"CREATING"' then return 0 end
    redis.call('HSET', record, field, '')
    return 1`,
});
