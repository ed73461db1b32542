import { defineScript } from '@gateway/store';

/** Stores a compressed entry for as long as the entry of this version is stored. */
export const storeCompressedScript = defineScript({
  name: 'store a compressed entry',
  keys: ['compressed', 'version'],
  args: ['currentVersion', 'head', 'body'],
  hasLongArgs: true,
  lua: `
    if redis.call('GET', version) ~= currentVersion then return 0 end
    redis.call('SET', compressed, head .. body, 'PX', redis.call('PTTL', version))
    return 1`,
});
