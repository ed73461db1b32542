import type { ServerProcess } from '../../../scripts/server-process.ts';
import type { Stack } from '../../../scripts/stack.ts';
import { atIntervals, type Interruptions, oneOf } from './at-intervals.ts';

/**
 * Kills a random running process at each interval, even while others restart. Most processes stay up, and
 * after a restart all run for as long as it took: on a slow machine, nothing else would make progress.
 */
export function killAtIntervals(
  { workers, apis }: Pick<Stack, 'workers' | 'apis'>,
  everyMs: number,
  random: () => number,
): Interruptions {
  const up = new Set<ServerProcess>([...workers, ...apis]);
  const most = up.size / 2;
  let earliest = 0;
  return atIntervals(everyMs, () => {
    const killedAt = performance.now();
    const victim = up.size > most && killedAt >= earliest ? oneOf(up, random) : undefined;
    if (victim === undefined) return undefined;
    up.delete(victim);
    return victim
      .kill('SIGKILL')
      .then(() => victim.restart())
      .then(() => {
        up.add(victim);
        const restartedAt = performance.now();
        earliest = 2 * restartedAt - killedAt;
      });
  });
}
