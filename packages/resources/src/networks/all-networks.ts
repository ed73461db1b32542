import type { BoundClient } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import { CachedList } from '../lists/cached-list.ts';
import { addNames, namesFrom } from '../lists/names.ts';
import { byName, type Network, presentNetwork } from './networks.ts';

const FIELDS = [
  'id',
  'name',
  'status',
  'subnets',
  'router:external',
  'shared',
  'project_id',
  'created_at',
  'updated_at',
] as const;

/** The networks of all projects, sorted by name. */
export async function readAllNetworks({ network }: BoundClient): Promise<Network[]> {
  return (await network.networks.listFields(FIELDS, presentNetwork)).sort(byName);
}

export const allNetworkList = new CachedList<Network[]>({
  name: 'allNetworks',
  varyBy: 'nothing',
  dependsOn: ['network', 'subnet', 'project'],
  lifetime: 'adminSeconds',
  rowsWithStates: (networks) => networks,
  load: async (sources) =>
    addNames(sources, await readAllNetworks(sources.openstack), { project_id: allProjectNames }),
});

/** For lists that only administrators read. */
export const allNetworkNames = namesFrom(allNetworkList);
