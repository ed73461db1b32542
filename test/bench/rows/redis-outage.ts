import { setTimeout as pause } from 'node:timers/promises';
import { type Stack, startStack } from '../../../scripts/stack.ts';
import { GatewayClient } from '../../support/clients/gateway-client.ts';
import {
  createVolume,
  mostConcurrentCalls,
  OutageReaders,
  type Readings,
} from '../../support/load/outage-readers.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import type { Row } from '../row.ts';

const APIS = 2;
const READERS = 200;
/** 100 requests a second in all. */
const EVERY_MS = 2_000;
const OUTAGE_MS = 20_000;
const AROUND_MS = 6_000;
const LATENCY_MS = 30;
/** The default of `upstream.max_concurrent_calls`. */
const BOUND = 32;
const MAX_P99_MS = 1_000;
const PROBE_EVERY_MS = 50;

/**
 * 200 readers with tokens of their own while Redis is stopped for 20 s: their responses, and
 * the calls to the cloud.
 */
export async function redisOutage(): Promise<Row[]> {
  const stack = await startStack({
    apis: APIS,
    workers: 0,
    discardLogs: true,
    config: { cache: { volumes_seconds: 3600 } },
  });
  try {
    return await measure(stack);
  } finally {
    await stack.stop();
  }
}

async function measure(stack: Stack): Promise<Row[]> {
  const cloudsim = stack.cloudsim?.url ?? '';
  for (const service of ['identity', 'compute', 'block-storage', 'image', 'network']) {
    await fetch(`${cloudsim}/_control/latency`, {
      method: 'POST',
      body: JSON.stringify({ service, ms: LATENCY_MS }),
    });
  }
  const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  const readers = await OutageReaders.logIn(stack, { readers: READERS, everyMs: EVERY_MS });
  await fetch(`${cloudsim}/_control/calls`, { method: 'DELETE' });
  readers.start();
  await pause(AROUND_MS);
  readers.take();
  await fetch(`${cloudsim}/_control/calls`, { method: 'DELETE' });

  await stack.redis?.kill('SIGKILL');
  const floor = probe(`${cloudsim}/compute`);
  await pause(OUTAGE_MS);
  const isShown = await createVolume(gateway);
  await stack.redis?.restart();
  await pause(AROUND_MS);
  const floorMs = await floor();
  await readers.stop();
  const readings = readers.take();

  const most = await mostConcurrentCalls(cloudsim);
  const calls = (await (await fetch(`${cloudsim}/_control/calls`)).json()) as { calls: unknown[] };
  const shown = await Promise.all(stack.apis.map(({ url }) => isShown(gateway.at(url))));
  return rowsOf(readings, {
    floorMs,
    most,
    callCount: calls.calls.length,
    outdated: shown.filter((is) => !is).length,
  });
}

interface Observed {
  floorMs: number[];
  most: Map<string, number>;
  callCount: number;
  outdated: number;
}

function rowsOf({ durationsMs, failures, requests }: Readings, observed: Observed): Row[] {
  const { callCount, floorMs, most, outdated } = observed;
  const p99 = percentile(durationsMs, 99);
  const [busiest, concurrent] = [...most].sort(([, a], [, b]) => b - a)[0] ?? ['none', 0];
  const refused = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const seconds = (OUTAGE_MS + AROUND_MS) / 1000;
  const name = `${READERS} readers while Redis is unavailable`;
  return [
    {
      name: `${name}: p99`,
      unit: 'ms',
      gateway: p99,
      floor: percentile(floorMs, 99),
      result: p99,
      resultUnit: 'ms',
      budget: `<= ${MAX_P99_MS} ms`,
      met: p99 <= MAX_P99_MS,
      note: `${requests} requests, median ${Math.round(percentile(durationsMs, 50))} ms`,
    },
    count(`${name}: calls at once to the busiest service`, concurrent, APIS * BOUND, {
      note: `${busiest}; ${Math.round(callCount / seconds)} calls a second to all services`,
    }),
    count(`${name}: failed requests`, refused, 0, { note: JSON.stringify(failures) }),
    count('outdated lists after an outage of Redis', outdated, 0),
  ];
}

function count(name: string, value: number, most: number, { note }: { note?: string } = {}): Row {
  return {
    name,
    unit: '',
    gateway: value,
    floor: null,
    result: value,
    resultUnit: '',
    budget: `<= ${most}`,
    met: value <= most,
    ...(note !== undefined && { note }),
  };
}

/**
 * Calls a server that responds at once, to measure the delay of the machine. The returned function stops
 * and returns the times.
 */
function probe(url: string): () => Promise<number[]> {
  const times: number[] = [];
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      await (await fetch(url)).arrayBuffer();
      times.push(performance.now() - startedAt);
      await pause(PROBE_EVERY_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await running;
    return times;
  };
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
