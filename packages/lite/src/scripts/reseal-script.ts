import { defineScript } from '@gateway/store';

/** Replaces an encrypted secret, unless another one was stored since it was read. Returns 1 if replaced. */
export const resealScript = defineScript({
  name: 'encrypt a secret of a lite cluster with the current key',
  keys: ['record'],
  args: ['field', 'expected', 'sealed'],
  lua: `
    if redis.call('HGET', record, field) ~= expected then return 0 end
    redis.call('HSET', record, field, sealed)
    return 1`,
});
