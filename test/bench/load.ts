import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export interface Target {
  url: string;
  headers?: Record<string, string>;
  pid: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** CPU time of the server per request, in microseconds. */
  cpuMicroseconds: number;
}

const CONNECTIONS = 50;
const TICKS_PER_SECOND = 100;

/** Sends requests as fast as possible. @throws when a response is not 200. */
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

/** User and system CPU time of a process in seconds; 0 when it is not available. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
