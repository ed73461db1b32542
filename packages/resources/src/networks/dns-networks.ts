import type { NetworkRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import { addNames, ownProjectName } from '../lists/names.ts';
import type { DnsNetwork } from './dns-network-shape.ts';
import { visibleNetworks } from './networks.ts';

export function presentDnsNetwork(network: NetworkRecord): DnsNetwork {
  return {
    id: network.id,
    name: network.name,
    dns_domain: network.dns_domain,
    is_external: network['router:external'],
    is_shared: network.shared,
    project_id: network.project_id,
    project_name: null,
  };
}

/**
 * The network service publishes the names of ports only if their network has a domain. Without the extension
 * for names, no network has one.
 */
export const dnsNetworkList = new CachedList<DnsNetwork[]>({
  name: 'dnsNetworks',
  varyBy: 'project',
  dependsOn: ['network', 'project'],
  lifetime: 'choicesSeconds',
  async load(sources) {
    const networks = await sources.openstack.network.networks.list();
    const rows = visibleNetworks(networks, sources.reader.projectId)
      .filter(({ dns_domain }) => dns_domain !== '')
      .map(presentDnsNetwork);
    return addNames(sources, rows, { project_id: ownProjectName });
  },
});
