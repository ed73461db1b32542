import type { BoundClient } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { optionalRead } from '../lists/optional-read.ts';
import type { AdminContainer } from './admin-container-shape.ts';
import { NO_NETWORKS, presentContainer } from './containers.ts';

/** The containers of all projects. Reads three lists, whatever the number of networks. */
export const allContainerList = new CachedList<AdminContainer[]>({
  name: 'allContainers',
  varyBy: 'nothing',
  dependsOn: ['container', 'network', 'floating_ip', 'project'],
  lifetime: 'adminSeconds',
  rowsWithStates: (containers) => containers,
  async load(sources) {
    const { openstack } = sources;
    const [containers, networks] = await Promise.all([
      openstack.container.containers.listOfAll(),
      optionalRead(sources, readNetworks(openstack), NO_NETWORKS),
    ]);
    const rows = containers.map((container) => ({
      ...presentContainer(container, networks),
      project_id: container.project_id,
      project_name: null,
    }));
    return addNames<AdminContainer>(sources, rows, { project_id: allProjectNames });
  },
});

async function readNetworks({ network }: BoundClient) {
  const [names, floatingIps] = await Promise.all([
    network.networks.listFields(['id', 'name'], ({ id, name }) => [id, name] as const),
    network.floatingIps.listFields(
      ['floating_ip_address', 'port_id', 'fixed_ip_address'],
      (floatingIp) => floatingIp,
    ),
  ]);
  return { names: new Map(names), floatingIps };
}
