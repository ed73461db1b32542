import type { Stack } from '../../../scripts/stack.ts';
import { CloudClient } from '../../support/cloud-client.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../../support/gateway-client.ts';
import { testLogin } from '../../support/test-stack.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 25;
const BUDGET_MS = 40;

interface Named {
  id: string;
  name: string;
}

/**
 * A creation through queue and saga, against the same upstream calls in plain sequential code. The simulated cloud
 * adds no latency.
 */
export async function creation(stack: Stack): Promise<Row> {
  const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
  const request = await gateway.smallInstanceRequest('bench');

  const ours: number[] = [];
  const bare: number[] = [];
  const calls = { ours: 0, bare: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    calls.bare = await countingCalls(stack, async () => {
      bare.push(await timed(() => createPlainly(cloud, request)));
    });
    await removeAll(cloud);
    calls.ours = await countingCalls(stack, async () => {
      ours.push(await timed(() => createThrough(gateway, request)));
    });
    await removeAll(cloud);
  }
  const added = median(ours) - median(bare);
  return {
    name: 'creation of an instance',
    unit: 'ms',
    gateway: median(ours),
    floor: median(bare),
    result: added,
    resultUnit: 'ms added',
    budget: `<= ${BUDGET_MS} ms`,
    met: added <= BUDGET_MS,
    note: `${calls.ours} upstream calls against ${calls.bare}`,
  };
}

async function createThrough(gateway: GatewayClient, request: InstanceRequest): Promise<void> {
  const last = (await messagesOf(await gateway.createInstance(request))).at(-1);
  if (last?.step !== 'COMPLETED') throw new Error(`A creation failed: ${last?.error}`);
}

/** Creates the instance with plain sequential calls. */
async function createPlainly(cloud: CloudClient, request: InstanceRequest): Promise<void> {
  await cloud.call('image', 'GET', `/v2/images/${request.image_id}`);
  await cloud.call('compute', 'GET', `/flavors/${request.flavor_id}`);
  await cloud.call('compute', 'GET', '/limits');
  await cloud.call('volumev3', 'GET', '/limits');
  const { networks } = await cloud.call<{ networks: (Named & { subnets: string[] })[] }>(
    'network',
    'GET',
    `/v2.0/networks?project_id=${cloud.projectId}&router:external=false`,
  );
  const network = networks.find(({ subnets }) => subnets.length > 0)?.id;
  const { ports: routerPorts } = await cloud.call<{ ports: { device_id: string }[] }>(
    'network',
    'GET',
    `/v2.0/ports?network_id=${network}&device_owner=network:router_interface`,
  );
  const { routers } = await cloud.call<{ routers: { external_gateway_info: { network_id: string } }[] }>(
    'network',
    'GET',
    `/v2.0/routers?id=${routerPorts[0]?.device_id}`,
  );
  const { volume } = await cloud.call<{ volume: Named }>('volumev3', 'POST', '/volumes', {
    volume: { size: request.boot_volume_size_gb, imageRef: request.image_id, name: 'bench' },
  });
  await until(async () => {
    const answer = await cloud.call<{ volume: { status: string } }>(
      'volumev3',
      'GET',
      `/volumes/${volume.id}`,
    );
    return answer.volume.status === 'available';
  });
  const { server } = await cloud.call<{ server: Named }>('compute', 'POST', '/servers', {
    server: {
      name: request.name,
      flavorRef: request.flavor_id,
      networks: [{ uuid: network }],
      block_device_mapping_v2: [
        {
          boot_index: 0,
          uuid: volume.id,
          source_type: 'volume',
          destination_type: 'volume',
          delete_on_termination: true,
        },
      ],
    },
  });
  await until(async () => {
    const answer = await cloud.call<{ server: { status: string } }>(
      'compute',
      'GET',
      `/servers/${server.id}`,
    );
    return answer.server.status === 'ACTIVE';
  });
  const { ports } = await cloud.call<{ ports: { id: string }[] }>(
    'network',
    'GET',
    `/v2.0/ports?device_id=${server.id}`,
  );
  await cloud.call('network', 'POST', '/v2.0/floatingips', {
    floatingip: {
      floating_network_id: routers[0]?.external_gateway_info.network_id,
      port_id: ports[0]?.id,
    },
  });
}

async function removeAll(cloud: CloudClient): Promise<void> {
  const { servers, floatingIps } = await cloud.resourceIds();
  await Promise.all(floatingIps.map((id) => cloud.call('network', 'DELETE', `/v2.0/floatingips/${id}`)));
  await Promise.all(servers.map((id) => cloud.call('compute', 'DELETE', `/servers/${id}`)));
  await until(async () => (await cloud.resourceIds()).volumes.length === 0);
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check()));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function countingCalls({ cloudsim }: Stack, work: () => Promise<void>): Promise<number> {
  const url = `${cloudsim?.url}/_control/calls`;
  await fetch(url, { method: 'DELETE' });
  await work();
  const { calls } = (await (await fetch(url)).json()) as { calls: unknown[] };
  return calls.length;
}
