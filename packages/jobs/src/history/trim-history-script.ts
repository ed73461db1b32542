import { defineScript } from '@gateway/store';
import { FORGET_HISTORY } from './append-history.ts';

/** Removes the oldest entries of a project beyond `kept`, at most `atOnce`. Returns how many. */
export const trimHistoryScript = defineScript({
  name: 'trim the history of a project',
  keys: ['history', 'historyParts', 'historyUnsuccessful'],
  args: ['kept', 'atOnce'],
  lua: `${FORGET_HISTORY}
    local count = math.min(redis.call('ZCARD', history) - kept, tonumber(atOnce))
    if count <= 0 then return 0 end
    forgetHistory(redis.call('ZRANGE', history, 0, count - 1))
    return count`,
});
