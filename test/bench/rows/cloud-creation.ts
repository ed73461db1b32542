import { startStack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { GatewayClient, messagesOf } from '../../support/clients/gateway-client.ts';
import { serviceLogin, testLogin } from '../../support/stacks/test-stack.ts';
import { createPlainly, removeAll } from '../baselines/creation.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 10;
/** Between the polls of the plain loop. */
const PAUSE_MS = 1_000;

/**
 * A creation on the cloud in OS_AUTH_URL, against a plain loop that polls once a second: the time, and the
 * number of calls. Nothing is measured without such a cloud.
 */
export async function cloudCreation(): Promise<Row[]> {
  const identityUrl = process.env.OS_AUTH_URL;
  if (identityUrl === undefined) {
    console.error('A creation on a real cloud is NOT measured: OS_AUTH_URL is not set.');
    return [];
  }
  const stack = await startStack({
    identityUrl,
    cloudsim: false,
    discardLogs: true,
    config: { rate_limits: { login: 0, instance_create: 0 } },
    env: {
      GATEWAY_SERVICE_USERNAME: serviceLogin.username,
      GATEWAY_SERVICE_PASSWORD: serviceLogin.password,
      GATEWAY_SERVICE_PROJECT: serviceLogin.projectName,
    },
  });
  try {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const cloud = await CloudClient.logIn(identityUrl, testLogin('demo'));
    const request = await gateway.smallInstanceRequest('bench');
    const metrics = [`${stack.url}/api/metrics`, `${stack.workers[0]?.url}/metrics`];
    const ours: Measured[] = [];
    const plain: Measured[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      plain.push(await measured(() => createPlainly(cloud, request, PAUSE_MS)));
      await removeAll(cloud);
      ours.push(
        await measured(async () => {
          const before = await upstreamCalls(metrics);
          const last = (await messagesOf(await gateway.createInstance(request))).at(-1);
          if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
          return (await upstreamCalls(metrics)) - before;
        }),
      );
      await removeAll(cloud);
    }
    return [
      row(
        'creation on a real cloud',
        'ms',
        ours.map(({ ms }) => ms),
        plain.map(({ ms }) => ms),
      ),
      row(
        'calls of it',
        'calls',
        ours.map(({ calls }) => calls),
        plain.map(({ calls }) => calls),
      ),
    ];
  } finally {
    await stack.stop();
  }
}

interface Measured {
  ms: number;
  calls: number;
}

async function measured(work: () => Promise<number>): Promise<Measured> {
  const started = performance.now();
  const calls = await work();
  return { ms: performance.now() - started, calls };
}

/** The sum of the calls in the metrics of processes. */
async function upstreamCalls(urls: readonly string[]): Promise<number> {
  let sum = 0;
  for (const url of urls) {
    // In the first scrape of a series, its count is 0.
    await (await fetch(url)).text();
    const text = await (await fetch(url)).text();
    for (const [, value] of text.matchAll(/^gateway_upstream_calls_total\{.*\} (\d+)$/gm))
      sum += Number(value);
  }
  return sum;
}

function row(name: string, unit: string, ours: number[], plain: number[]): Row {
  const result = median(ours) / median(plain);
  return {
    name,
    unit,
    gateway: median(ours),
    floor: median(plain),
    result,
    resultUnit: 'of a plain loop that looks once a second',
    budget: '<= 1',
    met: result <= 1,
  };
}
