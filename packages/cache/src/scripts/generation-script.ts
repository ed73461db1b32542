import { defineScript } from '@gateway/redis';

/** Returns the generation of a list. Starts one if there is none. */
export const generationScript = defineScript({
  name: 'generation of a list',
  keys: ['generation'],
  args: ['newGeneration', 'seconds'],
  lua: `
    redis.call('SET', generation, newGeneration, 'EX', seconds, 'NX')
    return redis.call('GET', generation)`,
});
