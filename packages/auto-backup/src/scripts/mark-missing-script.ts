import { defineScript } from '@gateway/store';

/**
 * Records that the volume of a configuration was not found at `missingAt`, or was found (''). Returns when
 * the volume was first not found; null when it was found, or when the configuration is gone.
 */
export const markMissingScript = defineScript({
  name: 'mark a volume as missing',
  keys: ['record'],
  args: ['missingAt'],
  lua: `
    if redis.call('EXISTS', record) == 0 then return false end
    if missingAt == '' then
      redis.call('HDEL', record, 'missingSince')
      return false
    end
    redis.call('HSETNX', record, 'missingSince', missingAt)
    return redis.call('HGET', record, 'missingSince')`,
});
