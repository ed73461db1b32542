import { defineScript } from '@gateway/store';

/** Returns whether a job uses the token. If so, stores the token, to be revoked later. */
export const postponeRevocationScript = defineScript({
  name: 'postpone a revocation',
  keys: ['keptTokens', 'postponedRevocations'],
  args: ['fingerprint', 'sealed'],
  lua: `
    for _, kept in ipairs(redis.call('HVALS', keptTokens)) do
      if kept == fingerprint then
        redis.call('HSET', postponedRevocations, fingerprint, sealed)
        return 1
      end
    end
    return 0`,
});
