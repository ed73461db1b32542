import { type ServerProcess, startServer } from '../../../scripts/server-process.ts';
import { type Stack, startStack } from '../../../scripts/stack.ts';
import { median, type Row } from '../row.ts';

const INSTANCES = 5_000;
const LISTS = 10;
const ROUNDS = 3;
const MAX_PAUSE_MS = 50;

const SMALL = 100;
const CALLS = 30;
/** A quick call to a real cloud. */
const UPSTREAM_DELAY_MS = 100;
const MAX_RATIO = 1.15;

/**
 * First responses that are not cached: how long ten simultaneous long lists block the process, against plain
 * Express, and how much time a list adds to the slowest of its calls.
 */
export async function firstAnswers(redisUrl: string): Promise<Row[]> {
  return [await longestPause(redisUrl), await addedTime(redisUrl)];
}

async function longestPause(redisUrl: string): Promise<Row> {
  const { upstream, stack } = await startGateway(redisUrl, 'bench-first:', 0);
  const floor = await startServer({
    name: 'floor',
    entry: 'test/bench/baselines/first-answers.ts',
    portVariable: 'PORT',
    healthPath: '/health',
    env: { ...process.env, FLOOR_UPSTREAM_URL: upstream.url },
  });
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    // Other load on the machine stops a process that has nothing to do, too.
    const idle: number[] = [];
    await Promise.all([read(`${stack.url}/api/instances`, '100-0'), read(`${floor.url}/list`, '100-0')]);
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await pauseDuring(`${floor.url}/list`, `${floor.url}/pause`, round));
      ours.push(await pauseDuring(`${stack.url}/api/instances`, `${stack.url}/api/metrics`, round));
      idle.push(await longestPauseSince(`${floor.url}/pause`));
    }
    const result = median(ours);
    return {
      name: `longest pause of the process while ${LISTS} lists of ${INSTANCES} instances are made`,
      unit: 'ms',
      gateway: result,
      floor: median(bare),
      result,
      resultUnit: 'ms',
      budget: `<= ${MAX_PAUSE_MS} ms`,
      met: result <= MAX_PAUSE_MS,
      note: `rounds ${ours.map(Math.round).join(', ')}; an idle process meanwhile ${idle.map(Math.round).join(', ')}`,
    };
  } finally {
    await floor.stop();
    await stack.stop();
    await upstream.stop();
  }
}

/** The longest pause while lists of different projects are read at once. */
async function pauseDuring(url: string, pauseUrl: string, round: number): Promise<number> {
  await longestPauseSince(pauseUrl);
  await Promise.all(
    Array.from({ length: LISTS }, (_, list) => read(url, `${INSTANCES}-${round * LISTS + list + 1}`)),
  );
  return longestPauseSince(pauseUrl);
}

/** Reading it starts a new measurement. */
async function longestPauseSince(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)/m.exec(text) ?? [];
  if (seconds === undefined) throw new Error(`${url} has no longest pause`);
  return Number(seconds) * 1000;
}

/** Uncached reads, against the slowest upstream call alone with parsing and formatting. */
async function addedTime(redisUrl: string): Promise<Row> {
  const { upstream, stack } = await startGateway(redisUrl, 'bench-small:', UPSTREAM_DELAY_MS);
  try {
    const token = `${SMALL}-0`;
    const ours: number[] = [];
    const call: number[] = [];
    for (let round = 0; round < CALLS; round += 1) {
      call.push(await timed(() => read(`${upstream.url}/compute/v2.1/servers/detail`, token)));
      ours.push(await timed(() => read(`${stack.url}/api/instances?refresh=true`, token)));
    }
    const result = median(ours) / median(call);
    return {
      name: `uncached list of ${SMALL} instances, its slowest call with JSON`,
      unit: 'ms',
      gateway: median(ours),
      floor: median(call),
      result,
      resultUnit: 'of the floor',
      budget: `<= ${MAX_RATIO}`,
      met: result <= MAX_RATIO,
    };
  } finally {
    await stack.stop();
    await upstream.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Reads and parses a list with the token of a project that has so many instances. */
async function read(url: string, rowsAndNumber: string): Promise<void> {
  const token = `bench-${rowsAndNumber}`;
  const response = await fetch(url, {
    headers: { 'x-auth-token': token, 'x-project-id': `project-${token}`, 'accept-encoding': 'identity' },
  });
  const body = await response.json();
  if (response.status !== 200)
    throw new Error(`${url} responded ${response.status}: ${JSON.stringify(body)}`);
  JSON.stringify(body);
}

async function startGateway(
  redisUrl: string,
  keyPrefix: string,
  delayMs: number,
): Promise<{ upstream: ServerProcess; stack: Stack }> {
  const upstream = await startServer({
    name: 'upstream',
    entry: 'test/bench/baselines/large-upstream.ts',
    portVariable: 'PORT',
    healthPath: '/identity/v3',
    env: { ...process.env, UPSTREAM_DELAY_MS: String(delayMs) },
  });
  const stack = await startStack({
    redisUrl,
    workers: 0,
    discardLogs: true,
    identityUrl: `${upstream.url}/identity/v3`,
    config: { redis: { key_prefix: keyPrefix } },
  });
  return { upstream, stack };
}
