import { defineScript } from '@gateway/redis';
import { fairQueueing } from './fair-queueing.ts';

/** Returns the project that may start a job now, other than the skipped ones; null if none may. */
export const firstProjectScript = defineScript({
  name: 'first project',
  keys: fairQueueing.keys,
  args: [...fairQueueing.args, '...skippedProjects'],
  withClock: true,
  lua: `${fairQueueing.lua}
    dropStale()
    local skipped = {}
    for _, project in ipairs(skippedProjects) do skipped[project] = true end
    return firstProject(skipped)`,
});
