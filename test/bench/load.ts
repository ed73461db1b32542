import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export interface Target {
  url: string;
  headers?: Record<string, string>;
  pid: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Processor time that the server itself took per request, in microseconds. */
  cpuMicroseconds: number;
}

const CONNECTIONS = 50;
const TICKS_PER_SECOND = 100;

/** Requests as fast as they are answered; any answer that is not 200 spoils the run. */
export async function load({ url, headers = {}, pid }: Target, seconds: number): Promise<LoadResult> {
  const cpuBefore = cpuSeconds(pid);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds });
  const cpu = cpuSeconds(pid) - cpuBefore;
  const total = result.requests.total;
  if (result.non2xx > 0 || result.errors > 0 || total === 0) {
    throw new Error(
      `${url} was answered ${result.non2xx} times with a failure, and failed ${result.errors} times.`,
    );
  }
  return { requestsPerSecond: total / result.duration, cpuMicroseconds: (cpu * 1e6) / total };
}

/** User and system time of a process so far; 0 where the system does not tell. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
