import { defineScript } from '@gateway/store';

/** Removes all secrets of a record, and the hashes of the tokens of its control node. */
export const destroySecretsScript = defineScript({
  name: 'destroy the secrets of a lite cluster',
  keys: ['record'],
  args: ['prefix'],
  lua: `
    for _, name in ipairs(redis.call('HKEYS', record)) do
      if string.sub(name, 1, #prefix) == prefix then redis.call('HDEL', record, name) end
    end
    return 1`,
});
