import assert from 'node:assert/strict';
import { createCluster, type LiteCluster, readCluster } from '../support/lite/clusters.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';
import { simulatedCloud } from '../support/stacks/test-stack.ts';

describe('a network without DHCP', function () {
  this.timeout(120_000);
  let stack: InstanceStack;

  before(async () => {
    stack = await InstanceStack.start({
      ...simulatedCloud,
      config: {
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 1 } },
      },
    });
  });
  after(() => stack?.stop());

  /** Turns DHCP on or off in the subnets of the project's network. */
  async function setDhcp(enable_dhcp: boolean): Promise<void> {
    const { cloud, networkId } = stack.project;
    const { subnets } = await cloud.call<{ subnets: { id: string }[] }>(
      'network',
      'GET',
      `/v2.0/subnets?network_id=${networkId}`,
    );
    for (const { id } of subnets) {
      await cloud.call('network', 'PUT', `/v2.0/subnets/${id}`, { subnet: { enable_dhcp } });
    }
  }

  async function hasConfigDrive(serverId: string | null): Promise<boolean> {
    const { server } = await stack.project.cloud.call<{ server: { config_drive: string } }>(
      'compute',
      'GET',
      `/servers/${serverId}`,
    );
    return server.config_drive === 'True';
  }

  /** Creates an instance, returns whether it has a config drive, and deletes it. */
  async function instanceHasDrive(): Promise<boolean> {
    const id = await stack.create({ network_id: stack.project.networkId });
    const has = await hasConfigDrive(id);
    await stack.delete(id);
    return has;
  }

  async function createdCluster(): Promise<LiteCluster> {
    const body = { name: 'unserved', agent_count: 1, network_id: stack.project.networkId };
    const last = (await createCluster(stack.gateway, body)).at(-1);
    assert.equal(last?.step, 'completed', last?.error ?? '');
    return readCluster(stack.gateway, last.cluster_id);
  }

  it('gives instances and nodes a config drive, which others lack', async () => {
    assert.equal(await instanceHasDrive(), false);
    await setDhcp(false);

    assert.equal(await instanceHasDrive(), true);
    const cluster = await createdCluster();
    for (const id of [cluster.server_vm_id, ...cluster.agent_vm_ids]) {
      assert.equal(await hasConfigDrive(id), true);
    }

    const deletion = await stack.gateway.request('DELETE', `/api/lite/clusters/${cluster.id}`);
    assert.equal(deletion.status, 204, deletion.text);
  });
});
