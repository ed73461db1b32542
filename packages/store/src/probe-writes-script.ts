import { defineScript } from './script.ts';

/**
 * Writes a key that expires. Returns the error of a server that refuses the write, as text, or ''. As an
 * error, it would make the connection reconnect, and commands of others fail.
 */
export const probeWritesScript = defineScript({
  name: 'probe of writes',
  keys: ['probe'],
  args: ['forMs'],
  lua: `return redis.pcall('SET', probe, '1', 'PX', forMs).err or ''`,
});
