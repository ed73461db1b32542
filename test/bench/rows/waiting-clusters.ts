import type { Stack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { CloudsimControl } from '../../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../../support/clients/gateway-client.ts';
import { eventually } from '../../support/eventually.ts';
import { readClusters } from '../../support/lite/clusters.ts';
import { createWaiting, raiseQuotas } from '../../support/lite/waiting-clusters.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import { median, type Row } from '../row.ts';

const CLUSTERS = 50;
const CREATIONS = 40;
const ABREAST = 5;
/** Half of those without clusters come before the others, and half after them. */
const ROUNDS = 4;
const BUDGET = 0.9;

/**
 * Creations of instances per second while clusters of the project wait for their control nodes,
 * against those without.
 */
export async function waitingClusters(stack: Stack): Promise<Row> {
  const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
  const control = new CloudsimControl(stack.cloudsim?.url ?? '');
  await raiseQuotas(admin, gateway.projectId);
  await control.set({ guest: { clusterOutcome: 'silent' } });
  await creationsPerSecond(gateway);

  const without: number[] = [];
  const during: number[] = [];
  const measure = async (speeds: number[], rounds: number) => {
    for (let round = 0; round < rounds; round += 1) speeds.push(await creationsPerSecond(gateway));
  };
  await measure(without, ROUNDS / 2);
  await createWaiting(gateway, CLUSTERS);
  await measure(during, ROUNDS);
  await removeClusters(gateway, control);
  await measure(without, ROUNDS / 2);

  const result = median(during) / median(without);
  return {
    name: `creations while ${CLUSTERS} clusters wait`,
    unit: 'creations/s',
    gateway: median(during),
    floor: median(without),
    result,
    resultUnit: 'of the floor',
    budget: `>= ${BUDGET}`,
    met: result >= BUDGET,
    note: `${ABREAST} creations at a time`,
  };
}

async function creationsPerSecond(gateway: GatewayClient): Promise<number> {
  const request = await gateway.smallInstanceRequest('bench');
  const ids: string[] = [];
  let begun = 0;
  const createOne = async () => {
    while (begun < CREATIONS) {
      begun += 1;
      const last = (await gateway.messagesOfCreation(request)).at(-1);
      if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
      ids.push(last.instance_id ?? '');
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: ABREAST }, createOne));
  const seconds = (performance.now() - started) / 1000;
  for (const id of ids) await gateway.request('DELETE', `/api/instances/${id}`);
  return CREATIONS / seconds;
}

async function removeClusters(gateway: GatewayClient, control: CloudsimControl): Promise<void> {
  for (const { id } of await readClusters(gateway)) {
    await gateway.request('DELETE', `/api/lite/clusters/${id}`);
  }
  // A project's own group stays.
  const groups = async () => [...((await control.inventory()).get('security_groups') ?? [])].length;
  await eventually(async () => (await groups()) < CLUSTERS);
  await control.set({ guest: { clusterOutcome: 'succeeds' } });
}
