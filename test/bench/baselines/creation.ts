import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudClient } from '../../support/clients/cloud-client.ts';
import type { InstanceRequest } from '../../support/clients/gateway-client.ts';

interface Named {
  id: string;
  name: string;
}

/** Between two polls of a clean-up, which is not measured. */
const PAUSE_MS = 20;

/**
 * Creates an instance with the gateway's calls in plain sequence, and polls every `pauseMs`.
 * Returns the number of calls.
 */
export async function createPlainly(
  client: CloudClient,
  request: InstanceRequest,
  pauseMs = 0,
): Promise<number> {
  let calls = 0;
  const cloud = {
    projectId: client.projectId,
    call<T>(...args: Parameters<CloudClient['call']>): Promise<T> {
      calls += 1;
      return client.call<T>(...args);
    },
  };
  const until = (check: () => Promise<boolean>) => repeat(check, pauseMs);
  await cloud.call('image', 'GET', `/v2/images/${request.image_id}`);
  await cloud.call('compute', 'GET', `/flavors/${request.flavor_id}`);
  await cloud.call('compute', 'GET', '/limits');
  await cloud.call('volumev3', 'GET', '/limits');
  await cloud.call('network', 'GET', `/v2.0/quotas/${cloud.projectId}/details`);
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
  return calls;
}

/** Removes everything that creations have made in the project. */
export async function removeAll(cloud: CloudClient): Promise<void> {
  const { servers, floatingIps } = await cloud.resourceIds();
  await Promise.all(floatingIps.map((id) => cloud.call('network', 'DELETE', `/v2.0/floatingips/${id}`)));
  await Promise.all(servers.map((id) => cloud.call('compute', 'DELETE', `/servers/${id}`)));
  await repeat(async () => (await cloud.resourceIds()).volumes.length === 0, PAUSE_MS);
}

async function repeat(check: () => Promise<boolean>, pauseMs: number): Promise<void> {
  while (!(await check())) if (pauseMs > 0) await sleep(pauseMs);
}
