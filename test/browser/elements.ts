import type { FloatingIp, Topology, TopologyInstance } from '@gateway/resources';
import { connectionsOf, instanceOf } from './connections.ts';

/** A box with two lines of text. */
export interface Element {
  id: string;
  /** Classes of the box. */
  kind: string;
  name: string;
  detail: string;
}

/** Elements in two rows: a router or floating IPs in the upper row, an instance in the lower row. */
export interface Column {
  upper: Element[];
  lower?: Element;
  /** The networks of the instance, with its addresses there. */
  lines: { networkId: string; label: string }[];
}

export function networkElement({
  id,
  is_external,
  is_shared,
  name,
  status,
  subnet_details,
}: Topology['networks'][number]): Element {
  const words = [is_external && 'external', is_shared && 'shared', status].filter(Boolean);
  const cidrs = subnet_details.map(({ cidr }) => cidr);
  const kind = is_external ? 'network external' : is_shared ? 'network shared' : 'network';
  return { id, kind, name: name || id, detail: [...words, ...cidrs].join(', ') };
}

/**
 * One column for each router, each instance with its floating IPs, and each floating IP without an instance.
 */
export function columnsOf(topology: Topology): Column[] {
  const { floating_ips, instances, routers } = topology;
  const connections = connectionsOf(topology);
  const ofRouters = routers.map(({ id, name, status }) => ({
    upper: [{ id, kind: 'router', name: name || id, detail: `router, ${status}` }],
    lines: [],
  }));
  const ofInstances = instances.map((instance) => ({
    upper: floating_ips.filter((each) => instanceOf(topology, each)?.id === instance.id).map(floatingElement),
    lower: instanceElement(instance),
    lines: connections
      .filter(({ from }) => from === instance.id)
      .map(({ to, addresses }) => ({ networkId: to, label: addresses.join(' ') })),
  }));
  const others = floating_ips
    .filter((each) => instanceOf(topology, each) === undefined)
    .map((each) => ({ upper: [floatingElement(each)], lines: [] }));
  return [...ofRouters, ...ofInstances, ...others];
}

function floatingElement({ id, floating_ip_address, port_id, status }: FloatingIp): Element {
  const use = port_id === null ? 'not associated' : status;
  return { id, kind: 'floating-ip', name: floating_ip_address, detail: `floating IP, ${use}` };
}

function instanceElement({ id, name, status, task_state }: TopologyInstance): Element {
  const detail = task_state === null ? status : `${status}, ${task_state}`;
  return { id, kind: 'instance', name: name || id, detail: `instance, ${detail}` };
}
