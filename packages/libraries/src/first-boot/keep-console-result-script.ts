import { defineScript } from '@gateway/store';
import { STORE_STATE } from './store-state.ts';

/** Stores what the console log says, unless the state has changed since it was read. Returns 1 if stored. */
export const keepConsoleResultScript = defineScript({
  name: 'keep the result of a first boot from the console log',
  keys: ['state', 'failures'],
  args: ['owner', 'expected', 'newState', 'isFailure', 'now', 'keepSeconds', 'failuresSince'],
  lua: `${STORE_STATE}
    if (redis.call('GET', state) or '') ~= expected then return 0 end
    storeState(isFailure == '1')
    return 1`,
});
