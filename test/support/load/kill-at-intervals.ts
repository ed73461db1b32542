import type { ServerProcess } from '../../../scripts/server-process.ts';
import type { Stack } from '../../../scripts/stack.ts';
import { atIntervals, type Interruptions, oneOf } from './at-intervals.ts';

/**
 * Kills a random running process at each interval, even while others restart. Waits while most processes are
 * down, as on a slow machine, because nothing would make progress.
 */
export function killAtIntervals(
  { workers, apis }: Pick<Stack, 'workers' | 'apis'>,
  everyMs: number,
  random: () => number,
): Interruptions {
  const up = new Set<ServerProcess>([...workers, ...apis]);
  const most = up.size / 2;
  return atIntervals(everyMs, () => {
    const victim = up.size > most ? oneOf(up, random) : undefined;
    if (victim === undefined) return undefined;
    up.delete(victim);
    return victim
      .kill('SIGKILL')
      .then(() => victim.restart())
      .then(() => void up.add(victim));
  });
}
