import assert from 'node:assert/strict';
import type { FloatingIpCreate } from '@gateway/openstack';
import { createFloatingIp } from '../../../apps/worker/src/sagas/create-instance/steps/floating-ip.ts';

type Context = Parameters<typeof createFloatingIp.run>[0];

const port = {
  id: 'the-port',
  fixed_ips: [
    { subnet_id: 'six', ip_address: 'fd00::5' },
    { subnet_id: 'isolated', ip_address: '10.1.0.5' },
    { subnet_id: 'routed', ip_address: '10.0.0.5' },
  ],
};

describe('the floating IP of a creation', () => {
  it('is associated with the address whose subnet has an external route', async () => {
    const created = await run(['routed']);

    assert.deepEqual(created, [
      {
        floating_network_id: 'external',
        port_id: 'the-port',
        fixed_ip_address: '10.0.0.5',
        description: 'gateway job the-job',
      },
    ]);
  });

  it('fails the creation if no address of the instance has a router', async () => {
    await assert.rejects(run(['another']), { status: 409, code: 'conflict' });
  });
});

async function run(routedSubnetIds: string[]): Promise<FloatingIpCreate[]> {
  const created: FloatingIpCreate[] = [];
  const network = {
    ports: { list: async () => [port] },
    floatingIps: {
      create: async (floatingIp: FloatingIpCreate) => {
        created.push(floatingIp);
        return { id: 'the-floating-ip' };
      },
    },
  };
  const plan = { networkId: 'net', externalNetworkId: 'external', routedSubnetIds };
  const context = {
    jobId: 'the-job',
    resourceOwner: { client: async () => ({ network }) },
    state: { plan, serverId: 'the-server' },
  };
  await createFloatingIp.run(context as unknown as Context);
  return created;
}
