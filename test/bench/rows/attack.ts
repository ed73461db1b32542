import { connect } from 'node:net';
import { startStack } from '../../../scripts/stack.ts';
import { prepareProjects } from '../../faults/projects.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../../support/clients/gateway-client.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import { median, type Row } from '../row.ts';

const CONNECTIONS = 4;
const CREATIONS = 7;
const HEALTH_EVERY_MS = 50;
const HEALTH_BUDGET_MS = 100;
const CREATION_BUDGET = 2;
const BODY_TIMEOUT_MS = 1_000;

/** Sends an expensive request, or opens an expensive connection. */
type Attack = () => Promise<void>;

/**
 * The effect of a malicious caller on others: four connections send expensive requests, one kind
 * after the other, while another client reads the health and another project creates instances.
 * Limits have their defaults.
 */
export async function attacks(): Promise<Row[]> {
  const stack = await startStack({
    discardLogs: true,
    cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
    config: { rate_limits: { instance_create: 0 } },
  });
  try {
    const [login] = await prepareProjects(stack.identityUrl ?? '', 1);
    if (login === undefined) throw new Error('There is no second project.');
    const attacker = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const other = await GatewayClient.logIn(stack.url, login);
    const request = await other.smallInstanceRequest('bench-attack');
    await creationMs(other, request);
    const quiet = await observe(stack.url, other, request);
    const rows: Row[] = [];
    for (const [name, attack] of Object.entries(attacksBy(attacker, stack.url))) {
      const stop = start(attack);
      const attacked = await observe(stack.url, other, request);
      const count = await stop();
      rows.push(...rowsOf(name, quiet, attacked, count));
    }
    return rows;
  } finally {
    await stack.stop();
  }
}

function attacksBy(attacker: GatewayClient, url: string): Record<string, Attack> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...attacker.headers(), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
  };
  let count = 0;
  return {
    'long names': async () => {
      await attacker.request('DELETE', `/api/keypairs/${'a'.repeat(9_200)}`);
    },
    'long arrays': () =>
      post('/api/instances/async', {
        name: 'x',
        image_id: 'x',
        flavor_id: 'x',
        libraries: Array.from({ length: 100_000 }, () => 'a'),
      }),
    'refused keys': () =>
      post('/api/instances', { name: 'x'.repeat(500) }, { 'idempotency-key': `bench-${++count}` }),
    'invalid tokens': async () => {
      const headers = { 'x-auth-token': `invalid-${++count}`, 'x-project-id': 'x' };
      await (await fetch(`${url}/api/instances`, { headers })).arrayBuffer();
    },
    'endless bodies': () => sendEndlessBody(url),
  };
}

/** Starts a body that never ends; resolves when the connection is closed. */
function sendEndlessBody(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        'POST /api/file-storage/builds/callback HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
          'Content-Length: 99999999999\r\n\r\n',
      );
      socket.write('x'.repeat(65_536));
    });
    const timer = setTimeout(() => socket.destroy(), BODY_TIMEOUT_MS);
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Attacks over several connections until stopped. The returned function stops and returns the count. */
function start(attack: Attack): () => Promise<number> {
  let isStopped = false;
  let count = 0;
  const lanes = Array.from({ length: CONNECTIONS }, async () => {
    while (!isStopped) {
      await attack().catch(() => {});
      count += 1;
    }
  });
  return async () => {
    isStopped = true;
    await Promise.all(lanes);
    return count;
  };
}

interface Observation {
  healthMs: number;
  creationMs: number;
}

/** Median times of health requests, and of creations at the same time. */
async function observe(url: string, other: GatewayClient, request: InstanceRequest): Promise<Observation> {
  const health: number[] = [];
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      const started = performance.now();
      await (await fetch(`${url}/api/health`)).arrayBuffer();
      health.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
    }
  })();
  const creations: number[] = [];
  for (let round = 0; round < CREATIONS; round += 1) creations.push(await creationMs(other, request));
  isDone = true;
  await reading;
  return { healthMs: median(health), creationMs: median(creations) };
}

async function creationMs(other: GatewayClient, request: InstanceRequest): Promise<number> {
  const started = performance.now();
  const last = (await messagesOf(await other.createInstance(request))).at(-1);
  if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
  const took = performance.now() - started;
  await other.request('DELETE', `/api/instances/${last.instance_id}`);
  return took;
}

function rowsOf(name: string, quiet: Observation, attacked: Observation, count: number): Row[] {
  const ratio = attacked.creationMs / quiet.creationMs;
  return [
    {
      name: `health under attack: ${name}`,
      unit: 'ms',
      gateway: attacked.healthMs,
      floor: quiet.healthMs,
      result: attacked.healthMs,
      resultUnit: 'ms',
      budget: `<= ${HEALTH_BUDGET_MS} ms`,
      met: attacked.healthMs <= HEALTH_BUDGET_MS,
      note: `${count} requests`,
    },
    {
      name: `creation under attack: ${name}`,
      unit: 'ms',
      gateway: attacked.creationMs,
      floor: quiet.creationMs,
      result: ratio,
      resultUnit: 'times',
      budget: `<= ${CREATION_BUDGET}`,
      met: ratio <= CREATION_BUDGET,
    },
  ];
}
