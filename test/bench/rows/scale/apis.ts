import { type Stack, type StackOptions, startStack } from '../../../../scripts/stack.ts';
import { GatewayClient } from '../../../support/clients/gateway-client.ts';
import { testLogin } from '../../../support/stacks/test-stack.ts';
import { loadEvenly } from '../../even-load.ts';
import { loadAll, type Target, warmUp } from '../../load.ts';
import { median, type Row } from '../../row.ts';
import { startUpstream } from '../../start-upstream.ts';

const ROUNDS = 5;
const ROUND_SECONDS = 4;
const BUDGET = 1.1;
/** Requests per second and process: few enough for two processes and the load generator on two processors. */
const RATES = { cached: 1_500, uncached: 250 };

/**
 * The processor time per request of two api processes of one gateway, against that of two gateways with one
 * process each, under the same load. If they are equal, the processes do not hinder each other: each adds the
 * capacity of its processor. One process alone and the requests per second show less, because the load
 * generator, Redis and the cloud share the processors of this machine.
 */
export async function apis(): Promise<Row[]> {
  return [await cachedLists(), await uncachedLists()];
}

async function cachedLists(): Promise<Row> {
  const options = {
    cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0' },
    config: { rate_limits: { login: 0 }, cache: { flavors_seconds: 3600 } },
  };
  return withGateways(options, async (gateway, other) => {
    const targets = async (stack: Stack) => {
      const client = await GatewayClient.logIn(stack.url, testLogin('demo'));
      return targetsOf(stack, '/api/flavors', client.headers());
    };
    return compare('cached lists', await targets(gateway), await targets(other), RATES.cached);
  });
}

/** A list from an upstream that responds at once. */
async function uncachedLists(): Promise<Row> {
  const upstream = await startUpstream();
  try {
    return await withGateways({ identityUrl: `${upstream.url}/v3` }, (gateway, other) => {
      const headers = { 'x-auth-token': 'bench-token', 'x-project-id': 'benchproject' };
      const targets = (stack: Stack) => targetsOf(stack, '/api/keypairs', headers);
      return compare('uncached lists', targets(gateway), targets(other), RATES.uncached);
    });
  } finally {
    await upstream.stop();
  }
}

/** Starts a gateway with two api processes and one with a single process. */
async function withGateways(
  options: StackOptions,
  measure: (gateway: Stack, other: Stack) => Promise<Row>,
): Promise<Row> {
  const stacks: Stack[] = [];
  try {
    for (const apis of [2, 1]) {
      stacks.push(await startStack({ ...options, apis, workers: 0, discardLogs: true }));
    }
    const [gateway, other] = stacks as [Stack, Stack];
    return await measure(gateway, other);
  } finally {
    for (const stack of stacks) await stack.stop();
  }
}

function targetsOf(stack: Stack, path: string, headers: Record<string, string>): Target[] {
  return stack.apis.map(({ url, pid }) => ({ url: url + path, headers, pid }));
}

/** Measures alternately, so that other load affects all. */
async function compare(
  name: string,
  together: readonly Target[],
  other: readonly Target[],
  rate: number,
): Promise<Row> {
  const alone = together.slice(0, 1);
  const apart = [...alone, ...other];
  for (const target of [...together, ...other]) await warmUp(target);
  const most = [await loadAll(alone, ROUND_SECONDS), await loadAll(together, ROUND_SECONDS)];
  const [mostOfOne = 0, mostOfTwo = 0] = most.map(({ requestsPerSecond }) => Math.round(requestsPerSecond));
  const times = { alone: [] as number[], together: [] as number[], apart: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.alone.push(await loadEvenly(alone, rate, ROUND_SECONDS));
    times.together.push(await loadEvenly(together, rate, ROUND_SECONDS));
    times.apart.push(await loadEvenly(apart, rate, ROUND_SECONDS));
  }
  const result = median(times.together) / median(times.apart);
  return {
    name: `${name} with two api processes`,
    unit: 'us/request',
    gateway: median(times.together),
    floor: median(times.apart),
    result,
    resultUnit: 'times two gateways',
    budget: `<= ${BUDGET}`,
    met: result <= BUDGET,
    note:
      `${rate} requests/s each; one alone ${Math.round(median(times.alone))} us; ` +
      `at most ${mostOfOne}/s with one, ${mostOfTwo}/s with two`,
  };
}
