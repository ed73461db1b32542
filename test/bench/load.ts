import autocannon, { type Result } from 'autocannon';
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

/**
 * V8 compiles a function after many calls, not after some time. A process runs for days, so only what comes
 * afterwards counts: the uncached list gets a third faster between its 2,000th and 15,000th request.
 */
const WARM_UP_REQUESTS = 15_000;

/** Sends requests until V8 has compiled what serves them. @throws when a response is not 200 */
export async function warmUp(target: Target): Promise<void> {
  const { url, headers = {} } = target;
  requireOk(target, await autocannon({ url, headers, connections: CONNECTIONS, amount: WARM_UP_REQUESTS }));
}

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
  for (const [index, part] of parts.entries()) requireOk(targets[index], part);
  const total = parts.reduce((sum, { requests }) => sum + requests.total, 0);
  const requestsPerSecond = parts.reduce((sum, { requests, duration }) => sum + requests.total / duration, 0);
  return { requestsPerSecond, cpuMicroseconds: (spent * 1e6) / total };
}

function requireOk(target: Target | undefined, { requests, non2xx, errors }: Result): void {
  if (non2xx === 0 && errors === 0 && requests.total > 0) return;
  throw new Error(`${target?.url} was answered ${non2xx} times with a failure, and failed ${errors} times.`);
}
