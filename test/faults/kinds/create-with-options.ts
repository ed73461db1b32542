import { PREPARED_PORT } from '../clean-up.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { createPlain } from './create-plain.ts';
import { startCreation } from './creation.ts';

interface Network {
  id: string;
  project_id: string;
  'router:external': boolean;
  subnets: string[];
}

/** A creation on an existing port and a network, in a security group, without a floating IP. */
export const createWithOptions: Kind = {
  ...createPlain,
  name: 'create with options',
  // What the request has checked is not read again, and only a floating IP needs the route.
  entries: { ...createPlain.entries, plan: 'no call', 'floating-ip': 'not taken' },
  completed: { servers: 1, volumes: 1, ports: 1, attachments: 1 },
  prepare: async (rig) => {
    const { port } = await rig.cloud.call<{ port: { id: string } }>('network', 'POST', '/v2.0/ports', {
      port: { network_id: await networkIdOf(rig), name: PREPARED_PORT },
    });
    return port.id;
  },
  async start(rig, portId, requestId) {
    const groups = await rig.cloud.call<{ security_groups: { id: string; name: string }[] }>(
      'network',
      'GET',
      '/v2.0/security-groups?name=default',
    );
    return startCreation(rig, null, requestId, {
      networks: [{ port_id: portId }, { network_id: await networkIdOf(rig) }],
      security_group_ids: [groups.security_groups[0]?.id],
      floating_ip: false,
      user_data: '#cloud-config\nruncmd: [ls]\n',
    });
  },
  async inspect(rig, portId, isCompleted) {
    const { port } = await rig.cloud.call<{ port: { device_id: string } }>(
      'network',
      'GET',
      `/v2.0/ports/${portId}`,
    );
    const isUsed = port.device_id !== '';
    return isUsed === isCompleted ? [] : [`the port is ${isUsed ? 'still' : 'not'} used`];
  },
};

async function networkIdOf(rig: Rig): Promise<string> {
  const { networks } = await rig.cloud.call<{ networks: Network[] }>('network', 'GET', '/v2.0/networks');
  const own = networks.find((network) => !network['router:external'] && network.subnets.length > 0);
  if (own === undefined) throw new Error('The project has no network with a subnet.');
  return own.id;
}
