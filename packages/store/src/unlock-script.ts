import { releaseLockFunction } from './lock-functions.ts';
import { defineScript } from './script.ts';

export const unlockScript = defineScript({
  name: 'unlock',
  keys: ['lock'],
  args: ['holder'],
  lua: `${releaseLockFunction}
    releaseLock(lock, holder)`,
});
