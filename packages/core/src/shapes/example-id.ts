import { createHash } from 'node:crypto';

/** Abbreviations in paths and fields. */
const ALIASES: Record<string, string> = {
  agent_vm: 'instance',
  connected_subnet: 'subnet',
  default_pool: 'pool',
  default_project: 'project',
  device: 'instance',
  fip: 'floating_ip',
  floating_network: 'external_network',
  external_gateway_network: 'external_network',
  hm: 'health_monitor',
  lb: 'load_balancer',
  lite_cluster: 'cluster',
  net: 'network',
  overlay_share: 'file_storage',
  overlay_upper_volume: 'volume',
  resource: 'instance',
  server: 'instance',
  server_vm: 'instance',
  sg: 'security_group',
  vip_network: 'network',
  vip_port: 'port',
  vip_subnet: 'subnet',
};

/** An id that is the same wherever an example has this kind of resource, such as `volume`. */
export function exampleId(kind: string): string {
  const hash = createHash('sha256')
    .update(ALIASES[kind] ?? kind)
    .digest('hex');
  const variant = '89ab'[Number.parseInt(hash.charAt(16), 16) % 4];
  return [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `${variant}${hash.slice(17, 20)}`]
    .concat(hash.slice(20, 32))
    .join('-');
}
