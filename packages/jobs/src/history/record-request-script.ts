import { defineScript } from '@gateway/store';
import { APPEND_HISTORY } from './append-history.ts';

/** Adds the request of an entry. A repeated write changes nothing. */
export const recordRequestScript = defineScript({
  name: 'record a request in the history',
  keys: ['history', 'historyParts', 'historyUnsuccessful', 'historyProjects'],
  args: ['id', 'project', 'request', 'isSuccessful', 'historyKeepSeconds', 'historyMaxRecords'],
  withClock: true,
  lua: `${APPEND_HISTORY}
    appendHistory(id, math.floor(now), 'request', request, isSuccessful == '1')`,
});
