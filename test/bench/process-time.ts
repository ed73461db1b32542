import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** User and system CPU time of a process in seconds; 0 when it is not available. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
