import { defineScript } from '@gateway/store';

/**
 * Returns the next cursor and some of the projects with quotas of their own. `quotasPrefix` is the key of
 * such quotas without the project. The cursor '0' begins, and ends the list.
 */
export const listQuotaOwnersScript = defineScript({
  name: 'list the owners of GPU quotas',
  keys: ['quotasPrefix'],
  args: ['cursor'],
  lua: `
    local page = redis.call('SCAN', cursor, 'COUNT', 1000)
    local found = {}
    for _, key in ipairs(page[2]) do
      if string.sub(key, 1, #quotasPrefix) == quotasPrefix then
        table.insert(found, string.sub(key, #quotasPrefix + 1))
      end
    end
    return { page[1], found }`,
});
