import { defineScript } from '@gateway/store';

/**
 * Returns the used memory of the server that has the key, and its limit, in bytes; a limit of 0 means none,
 * or that there are no histories.
 * In a Cluster the servers differ, and a command without a key would ask any of them.
 */
export const storeMemoryScript = defineScript({
  name: 'read the memory of the store',
  keys: ['historyProjects'],
  args: [],
  lua: `
    if redis.call('EXISTS', historyProjects) == 0 then return { 0, 0 } end
    local text = redis.call('INFO', 'memory')
    local function bytesOf(field) return tonumber(string.match(text, '\\n' .. field .. ':(%d+)')) or 0 end
    return { bytesOf('used_memory'), bytesOf('maxmemory') }`,
});
