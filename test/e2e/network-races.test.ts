import assert from 'node:assert/strict';
import type { FloatingIp, Network, NetworkDetail, Router } from '@gateway/resources';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { NetworkProject } from '../support/projects/network-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

const ROUNDS = 5;
const FLOATING_IPS = '/api/networks/floating-ips';

describe('changes of networks that reach two api processes at once', function () {
  this.timeout(300_000);
  let project: NetworkProject;
  let second: GatewayClient;
  const servers: Prepared[] = [];

  before(async () => {
    project = await NetworkProject.start({ apis: 2 });
    second = project.mine.at(project.stack.apis[1]?.url ?? '');
  });

  after(async () => {
    for (const server of servers) await server.remove();
    await project?.remove();
  });

  it('give a floating IP to one instance, and 409 to the other', async () => {
    const external_network_id = await project.externalNetworkId();
    const { networkId, subnetId } = await project.makeSubnet('10.96.0.0/24', 'contested');
    const router = await project.make<Router>('/api/routers', { name: 'way-out', external_network_id });
    await project.make(`/api/routers/${router.id}/interfaces`, { subnet_id: subnetId });
    servers.push(await project.makeServer(networkId), await project.makeServer(networkId));
    const { id } = await project.make<FloatingIp>(FLOATING_IPS, { floating_network_id: external_network_id });
    const path = `${FLOATING_IPS}/${id}`;

    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        [project.mine, second].map((who, index) =>
          project.ask<FloatingIp>('POST', `${path}/associate`, { instance_id: servers[index]?.id }, who),
        ),
      );

      const statuses = answers.map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [200, 409], `round ${round}`);
      const { port_id } = await project.direct<{ port_id: string }>('GET', `/floatingips/${id}`);
      assert.equal(port_id, answers[statuses.indexOf(200)]?.body.port_id);
      assert.equal((await project.ask('POST', `${path}/disassociate`)).status, 200);
    }
  });

  it('either delete a network or add a subnet to it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await project.make<Network>('/api/networks', { name: 'contested' });
      const path = `/api/networks/${id}`;
      const subnet = { name: 'late', cidr: '10.95.0.0/24' };

      const [deletion, addition] = await Promise.all([
        project.ask('DELETE', path),
        project.ask<{ id: string }>('POST', `${path}/subnets`, subnet, second),
      ]);

      const left = await project.ask<NetworkDetail>('GET', path);
      if (deletion.status === 204) {
        assert.deepEqual([addition.status, left.status], [404, 404], addition.text);
      } else {
        assert.deepEqual([deletion.status, addition.status], [409, 201], deletion.text);
        assert.deepEqual(left.body.subnets, [addition.body.id]);
        await project.drop(`/api/networks/subnets/${addition.body.id}`);
        await project.drop(path);
      }
    }
  });

  it('keep a subnet that is added to a network outside the gateway', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await project.make<Network>('/api/networks', { name: 'contested' });
      const subnet = { network_id: id, name: 'late', cidr: '10.95.0.0/24', ip_version: 4 };

      const [deletion, added] = await Promise.all([
        project.ask('DELETE', `/api/networks/${id}`),
        project.direct<{ id: string } | undefined>('POST', '/subnets', { subnet }).catch(() => undefined),
      ]);

      const left = await project.ask<NetworkDetail>('GET', `/api/networks/${id}`);
      if (added?.id === undefined) {
        assert.deepEqual([deletion.status, left.status], [204, 404], deletion.text);
      } else {
        assert.deepEqual([deletion.status, left.body.subnets], [409, [added.id]], deletion.text);
        await project.drop(`/api/networks/subnets/${added.id}`);
        await project.drop(`/api/networks/${id}`);
      }
    }
  });
});
