import autocannon from 'autocannon';
import { cpuSeconds } from './process-time.ts';

export interface Target {
  url: string;
  headers?: Record<string, string>;
  pid: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** CPU time of the servers per request, in microseconds. */
  cpuMicroseconds: number;
}

const CONNECTIONS = 50;

/** Sends requests as fast as possible. @throws when a response is not 200. */
export function load(target: Target, seconds: number): Promise<LoadResult> {
  return loadAll([target], seconds);
}

/** The same, with the connections spread over several servers. */
export async function loadAll(targets: readonly Target[], seconds: number): Promise<LoadResult> {
  const cpu = () => targets.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const cpuBefore = cpu();
  const parts = await Promise.all(
    targets.map(({ url, headers = {} }) =>
      autocannon({
        url,
        headers,
        connections: CONNECTIONS / targets.length,
        duration: seconds,
      }),
    ),
  );
  const spent = cpu() - cpuBefore;
  for (const [index, { requests, non2xx, errors }] of parts.entries()) {
    if (non2xx === 0 && errors === 0 && requests.total > 0) continue;
    throw new Error(
      `${targets[index]?.url} was answered ${non2xx} times with a failure, and failed ${errors} times.`,
    );
  }
  const total = parts.reduce((sum, { requests }) => sum + requests.total, 0);
  const requestsPerSecond = parts.reduce((sum, { requests, duration }) => sum + requests.total / duration, 0);
  return { requestsPerSecond, cpuMicroseconds: (spent * 1e6) / total };
}
