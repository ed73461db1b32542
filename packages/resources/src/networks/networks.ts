import { isVisibleTo, type NetworkRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import { addNames, namesFrom, ownProjectName } from '../lists/names.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isBeingBuilt } from '../transitions/states-in-transition.ts';

export interface Network {
  id: string;
  name: string;
  status: string;
  /** Ids, including those of subnets that members of the project cannot read. */
  subnets: string[];
  is_external: boolean;
  is_shared: boolean;
  /** The owner. */
  project_id: string;
  /** Null for the network of another project. */
  project_name: string | null;
}

type NetworkFields = Pick<
  NetworkRecord,
  | 'id'
  | 'name'
  | 'status'
  | 'subnets'
  | 'router:external'
  | 'shared'
  | 'project_id'
  | 'created_at'
  | 'updated_at'
>;

export function presentNetwork(network: NetworkFields): Network {
  return {
    id: network.id,
    name: network.name,
    status: network.status,
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

export const networkList = new CachedList<Network[]>({
  name: 'networks',
  varyBy: 'project',
  dependsOn: ['network', 'subnet', 'project'],
  lifetime: 'networksSeconds',
  rowsWithStates: (networks) => networks,
  async load(sources) {
    const networks = await sources.openstack.network.networks.list();
    const visible = visibleNetworks(networks, sources.reader.projectId).map(presentNetwork);
    return addNames(sources, visible, { project_id: ownProjectName });
  },
});

export const networkNames = namesFrom(networkList);
