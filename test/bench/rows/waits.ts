import { startStack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { CloudsimControl } from '../../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../../support/clients/gateway-client.ts';
import { raiseQuotas } from '../../support/lite/waiting-clusters.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import type { Row } from '../row.ts';

const CREATIONS = 100;
const SINGLE_CREATIONS = 5;
const BUDGET = 5;

/**
 * How often a worker polls resources that it waits for: with 100 creations of one project
 * at once, and with one.
 */
export async function waits(): Promise<Row> {
  const stack = await startStack({
    discardLogs: true,
    cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '2' },
    config: { rate_limits: { instance_create: 0 }, jobs: { project_waiting_limit: 0 } },
  });
  try {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    await raiseQuotas(admin, gateway.projectId);
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    const request = await gateway.smallInstanceRequest('bench');
    const single = await looksPerSecond(control, async () => {
      for (let count = 0; count < SINGLE_CREATIONS; count += 1) await create(gateway, request);
    });
    const many = await looksPerSecond(control, async () => {
      await Promise.all(Array.from({ length: CREATIONS }, () => create(gateway, request)));
    });
    const result = many / single;
    return {
      name: `looks during ${CREATIONS} creations`,
      unit: 'looks/s',
      gateway: many,
      floor: single,
      result,
      resultUnit: 'times as often as one creation',
      budget: `<= ${BUDGET}`,
      met: result <= BUDGET,
    };
  } finally {
    await stack.stop();
  }
}

async function create(gateway: GatewayClient, request: InstanceRequest): Promise<void> {
  const last = (await messagesOf(await gateway.createInstance(request))).at(-1);
  if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
}

const LOOKS = ['servers.get', 'servers.list_detail', 'volumes.get', 'volumes.list_detail'];

async function looksPerSecond(control: CloudsimControl, work: () => Promise<void>): Promise<number> {
  await control.clearCalls();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const calls = await control.calls();
  return calls.filter(({ operation }) => operation !== null && LOOKS.includes(operation)).length / seconds;
}
