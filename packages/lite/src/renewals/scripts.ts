import { defineScript } from '@gateway/store';

/**
 * Stores a renewed configuration file and replaces the secret, in one step, so that a secret is never
 * invalidated without a stored file. A field with a secret's hash contains the hash of the report that used
 * the secret up, and '' before. `expected` is the encrypted file that the report was compared with. Returns
 * the outcome.
 */
export const acceptRenewalScript = defineScript({
  name: 'accept a renewed configuration file of a cluster',
  keys: ['record'],
  args: ['prefix', 'field', 'report', 'fileField', 'expected', 'renewed', '...next'],
  lua: `
    local status = redis.call('HGET', record, 'status')
    if status ~= '"CREATING"' and status ~= '"ACTIVE"' then return 'refused' end
    local used = redis.call('HGET', record, field)
    if not used then return 'refused' end
    if used ~= '' then return used == report and 'repeated' or 'refused' end
    if redis.call('HGET', record, fileField) ~= expected then return 'changed' end
    for _, name in ipairs(redis.call('HKEYS', record)) do
      if string.sub(name, 1, #prefix) == prefix then redis.call('HDEL', record, name) end
    end
    redis.call('HSET', record, field, report, fileField, renewed)
    for _, name in ipairs(next) do redis.call('HSET', record, name, '') end
    return 'accepted'`,
});

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
