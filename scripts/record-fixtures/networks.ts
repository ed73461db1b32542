import type { BoundClient } from '@gateway/openstack';
import { record } from './recorder.ts';
import { addCleanup, recordPages, recordRequired, unknownId } from './scenario.ts';

export async function recordNetworks(mine: BoundClient) {
  const { networks, subnets, routers, ports, floatingIps, quotas } = mine.network;
  const network = await recordRequired('network/network-create', () =>
    networks.create({ name: 'record-net', description: 'For fixtures' }),
  );
  addCleanup('network', () => networks.remove(network.id));
  const subnet = await recordRequired('network/subnet-create', () =>
    subnets.create({
      network_id: network.id,
      name: 'record-subnet',
      cidr: '10.20.0.0/24',
      ip_version: 4,
    }),
  );
  await record('network/subnet-invalid', () =>
    subnets.create({ network_id: network.id, cidr: 'not-a-cidr', ip_version: 4 }),
  );
  const external = (await networks.list({ 'router:external': true }))[0];
  if (external === undefined) throw new Error('The cloud has no external network.');
  const router = await recordRequired('network/router-create', () =>
    routers.create({
      name: 'record-router',
      external_gateway_info: { network_id: external.id },
    }),
  );
  addCleanup('router', () => routers.remove(router.id));
  await record('network/router-interface-add', () =>
    routers.addInterface(router.id, { subnet_id: subnet.id }),
  );
  addCleanup('router interface', () => routers.removeInterface(router.id, { subnet_id: subnet.id }));
  await record('network/network-in-use', () => networks.remove(network.id));
  await record('network/network-not-found', () => networks.get(unknownId));
  await record('network/networks', () => networks.list());
  await record('network/network', () => networks.get(network.id));
  await record('network/subnets', () => subnets.list());
  await record('network/quota-details', () => quotas.get(network.project_id));
  await record('network/routers', () => routers.list());
  await record('network/router', () => routers.get(router.id));
  await record('network/router-in-use', () => routers.remove(router.id));
  await recordPages('network/networks-page', (query) => networks.listPage(query), 1);

  const spare: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    const made = await record('network/router-quota', () =>
      routers.create({ name: `record-spare-${count}` }),
    );
    if (made === undefined) break;
    spare.push(made.id);
  }
  for (const id of spare) await routers.remove(id);
  return { network, subnet, external, ports, floatingIps };
}
