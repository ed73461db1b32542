import { defineScript } from '@gateway/store';

/** Requests a check of the volumes of a project that has configurations. */
export const requestVolumeCheckScript = defineScript({
  name: 'request a volume check',
  keys: ['ofProject', 'volumeChecks'],
  args: ['project', 'check'],
  lua: `
    if redis.call('EXISTS', ofProject) == 0 then return 0 end
    redis.call('HSET', volumeChecks, project, check)
    return 1`,
});
