import { type Stack, startStack } from '../../../../scripts/stack.ts';
import { CloudClient } from '../../../support/clients/cloud-client.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../../../support/clients/gateway-client.ts';
import { raiseQuotas } from '../../../support/lite/waiting-clusters.ts';
import { prepareMember } from '../../../support/projects/prepared-member.ts';
import { createNetwork, externalNetworkId } from '../../../support/projects/prepared-project.ts';
import { testLogin } from '../../../support/stacks/test-stack.ts';
import type { Row } from '../../row.ts';

const WORKERS = [1, 2, 3];
/** So many that no limit of a project leaves a slot idle. */
const PROJECTS = 12;
/**
 * Slots for creations in a worker: few, so that their number is the limit and not the
 * processors of this machine.
 */
const SLOTS = 3;
const CREATIONS_PER_SLOT = 8;
/** Each call of the cloud takes this long. */
const LATENCY_MS = 100;
/** By the number of workers. */
const BUDGETS: Record<number, number> = { 2: 1.8, 3: 2.7 };

interface Member {
  gateway: GatewayClient;
  request: InstanceRequest;
}

/** Creations per minute with one, two and three workers, in a cloud of fixed latency. */
export async function workers(): Promise<Row[]> {
  const stack = await startStack({
    discardLogs: true,
    cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '2' },
    config: {
      rate_limits: { login: 0, instance_create: 0 },
      jobs: { concurrency: { provisioning: SLOTS }, project_waiting_limit: 0 },
    },
  });
  try {
    const members = await prepareMembers(stack);
    for (const service of ['compute', 'block-storage', 'network', 'image']) {
      await setLatency(stack, service, LATENCY_MS);
    }
    await createAll(members, SLOTS);
    const rates: number[] = [];
    for (const count of WORKERS) {
      while (stack.workers.length < count) await stack.addWorker();
      rates.push(await creationsPerMinute(members, count * SLOTS * CREATIONS_PER_SLOT));
    }
    const [one = Number.NaN] = rates;
    return rates.slice(1).map((rate, index) => {
      const count = WORKERS[index + 1] ?? 0;
      const budget = BUDGETS[count] ?? 0;
      return {
        name: `creations with ${count} workers`,
        unit: 'creations/min',
        gateway: rate,
        floor: one,
        result: rate / one,
        resultUnit: 'times one worker',
        budget: `>= ${budget}`,
        met: rate / one >= budget,
        note: `${SLOTS} slots a worker, ${LATENCY_MS} ms a call`,
      };
    });
  } finally {
    await stack.stop();
  }
}

async function setLatency({ cloudsim }: Stack, service: string, ms: number): Promise<void> {
  await fetch(`${cloudsim?.url}/_control/latency`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service, ms }),
  });
}

async function prepareMembers(stack: Stack): Promise<Member[]> {
  const identityUrl = stack.identityUrl ?? '';
  const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
  const externalId = await externalNetworkId(admin);
  const members: Member[] = [];
  for (let index = 0; index < PROJECTS; index += 1) {
    const { login, cloud, id } = await prepareMember(identityUrl, admin);
    await raiseQuotas(admin, id);
    const network = await createNetwork(cloud, externalId);
    const gateway = await GatewayClient.logIn(stack.url, login);
    const request = { ...(await gateway.smallInstanceRequest('bench')), network_id: network.id };
    members.push({ gateway, request });
  }
  return members;
}

async function creationsPerMinute(members: readonly Member[], count: number): Promise<number> {
  const started = performance.now();
  await createAll(members, count);
  return (count / (performance.now() - started)) * 60_000;
}

async function createAll(members: readonly Member[], count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const member = members[index % members.length];
      if (member === undefined) throw new Error('There is no member.');
      const last = (await messagesOf(await member.gateway.createInstance(member.request))).at(-1);
      if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
    }),
  );
}
