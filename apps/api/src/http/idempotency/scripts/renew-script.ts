import { defineScript } from '@gateway/store';

/** Renews a lease, also an expired one unless another run has acquired the key. */
export const renewScript = defineScript({
  name: 'renew an idempotency lease',
  keys: ['record', 'lease'],
  args: ['run', 'leaseMs'],
  lua: `
    if redis.call('HGET', record, 'run') ~= run then return 0 end
    redis.call('SET', lease, run, 'PX', leaseMs)
    return 1`,
});
