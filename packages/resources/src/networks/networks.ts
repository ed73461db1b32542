import { type BoundClient, isVisibleTo, type NetworkRecord } from '@gateway/openstack';
import { projectNames } from '../identity/projects.ts';
import { ListsByScope, namesByScope, sourcesIn } from '../lists/lists-by-scope.ts';
import { addNames } from '../lists/names.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isBeingBuilt } from '../transitions/states-in-transition.ts';
import type { Network } from './network-shape.ts';

/** The fields of a network that its row needs. */
const FIELDS = [
  'id',
  'name',
  'status',
  'admin_state_up',
  'subnets',
  'router:external',
  'shared',
  'project_id',
  'created_at',
  'updated_at',
] as const;

type NetworkFields = Pick<NetworkRecord, (typeof FIELDS)[number]>;

export function presentNetwork(network: NetworkFields): Network {
  return {
    id: network.id,
    name: network.name,
    status: network.status,
    admin_state_up: network.admin_state_up,
    subnets: network.subnets,
    is_external: network['router:external'],
    is_shared: network.shared,
    project_id: network.project_id,
    project_name: null,
    ...markTransition(isBeingBuilt(network), network.status, {
      changedAt: network.updated_at,
      createdAt: network.created_at,
    }),
  };
}

/**
 * The networks that the project may see, in the order of a client's selection: its own, then those that the
 * project's servers can use, then those that only provide external access.
 */
export function visibleNetworks(networks: readonly NetworkRecord[], projectId: string): NetworkRecord[] {
  const rank = (network: NetworkRecord) => {
    if (network.project_id === projectId) return 0;
    return network.shared ? 1 : 2;
  };
  return networks
    .filter((network) => isVisibleTo(network, projectId))
    .toSorted((a, b) => rank(a) - rank(b) || byName(a, b));
}

/** Compares names, then the ids of rows with the same name. */
export function byName(a: { id: string; name: string }, b: { id: string; name: string }): number {
  return a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
}

/** The networks of all projects, sorted by name. */
export async function readAllNetworks({ network }: BoundClient): Promise<Network[]> {
  return (await network.networks.listFields(FIELDS, presentNetwork)).sort(byName);
}

async function readVisibleNetworks({ network }: BoundClient, projectId: string): Promise<Network[]> {
  return visibleNetworks(await network.networks.list(), projectId).map(presentNetwork);
}

export const networkLists = new ListsByScope<Network>({
  name: 'networks',
  dependsOn: ['network', 'subnet', 'project'],
  lifetime: 'networksSeconds',
  rowsWithStates: (networks) => networks,
  async load(sources, scope) {
    const { openstack, reader } = sources;
    const rows =
      scope === 'cloud'
        ? await readAllNetworks(openstack)
        : await readVisibleNetworks(openstack, reader.projectId);
    return addNames(sources, rows, sourcesIn(scope, { project_id: projectNames }));
  },
});

export const networkNames = namesByScope(networkLists);
