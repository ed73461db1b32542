import assert from 'node:assert/strict';
import { messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { deleteCluster, readCluster } from '../support/lite/clusters.ts';
import { LiteProject } from '../support/lite/lite-project.ts';

const KEPT =
  'The data of persistent volume claims was kept: 1 volume, with 1 snapshot. Delete what is no longer needed.';

describe('the deletion of a lite cluster', function () {
  this.timeout(600_000);
  let project: LiteProject;

  before(async () => {
    // The plugins have an application credential.
    const plugins = { cloud_controller_enabled: true, block_csi_enabled: true };
    project = await LiteProject.start({ config: { lite: { plugins, floating_ip: true } } });
  });

  after(() => project?.stop());

  async function remove(clusterId: string, who = project.mine): Promise<void> {
    for (const time of ['first', 'second']) {
      const answer = await deleteCluster(who, clusterId);
      assert.equal(answer.status, 204, `${time}: ${answer.text}`);
    }
    assert.equal((await readCluster(project.colleague, clusterId)).status, 'DELETED');
  }

  /**
   * A load balancer as the cloud controller creates it, with a floating IP that has the
   * controller's description.
   */
  async function createBalancer(
    ofCluster: string,
    service = 'web',
    description = `Floating IP for Kubernetes external service default/${service} from cluster ${ofCluster}`,
  ) {
    const { cloud } = project;
    const { loadbalancer } = await cloud.call<{ loadbalancer: { id: string; vip_port_id: string } }>(
      'load-balancer',
      'POST',
      '/v2.0/lbaas/loadbalancers',
      {
        loadbalancer: {
          name: `kube_service_${ofCluster}_default_${service}`,
          description: `Kubernetes external service default/${service} from cluster ${ofCluster}`,
          vip_subnet_id: project.subnetId,
        },
      },
    );
    const { id, vip_port_id } = loadbalancer;
    const path = `/v2.0/lbaas/loadbalancers/${id}`;
    await untilActive(path);
    const { listener } = await cloud.call<{ listener: { id: string } }>(
      'load-balancer',
      'POST',
      '/v2.0/lbaas/listeners',
      { listener: { name: 'web', loadbalancer_id: id, protocol: 'TCP', protocol_port: 80 } },
    );
    await untilActive(path);
    const { floatingip } = await cloud.call<{ floatingip: { id: string } }>(
      'network',
      'POST',
      '/v2.0/floatingips',
      { floatingip: { floating_network_id: project.externalId, port_id: vip_port_id, description } },
    );
    return { id, portId: vip_port_id, listenerId: listener.id, floatingIpId: floatingip.id };
  }

  /** A load balancer whose address is in a network of the project that is not the cluster's. */
  async function createBalancerElsewhere(ofCluster: string) {
    const { cloud } = project;
    const { network } = await cloud.call<{ network: { id: string } }>('network', 'POST', '/v2.0/networks', {
      network: { name: 'elsewhere' },
    });
    const { subnet } = await cloud.call<{ subnet: { id: string } }>('network', 'POST', '/v2.0/subnets', {
      subnet: { network_id: network.id, ip_version: 4, cidr: '10.77.0.0/24' },
    });
    const { loadbalancer } = await cloud.call<{ loadbalancer: { id: string } }>(
      'load-balancer',
      'POST',
      '/v2.0/lbaas/loadbalancers',
      { loadbalancer: { name: `kube_service_${ofCluster}_default_far`, vip_subnet_id: subnet.id } },
    );
    await untilActive(`/v2.0/lbaas/loadbalancers/${loadbalancer.id}`);
    return network.id;
  }

  async function untilActive(path: string): Promise<void> {
    await eventually(async () => {
      const { loadbalancer } = await project.cloud.call<{
        loadbalancer: { provisioning_status: string };
      }>('load-balancer', 'GET', path);
      return loadbalancer.provisioning_status === 'ACTIVE';
    }, 120_000);
  }

  /** A volume, as the storage driver makes it for a claim. */
  async function createVolume(metadata: object): Promise<string> {
    const { cloud } = project;
    const { volume } = await cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { size: 1, metadata },
    });
    await eventually(async () => {
      const answer = await cloud.call<{ volume: { status: string } }>(
        'volumev3',
        'GET',
        `/volumes/${volume.id}`,
      );
      return answer.volume.status === 'available';
    }, 120_000);
    return volume.id;
  }

  async function createSnapshot(volumeId: string): Promise<string> {
    const { cloud } = project;
    const { snapshot } = await cloud.call<{ snapshot: { id: string } }>('volumev3', 'POST', '/snapshots', {
      snapshot: { volume_id: volumeId },
    });
    return snapshot.id;
  }

  /** The service refuses until the volume's snapshots are gone. */
  async function removeVolume(id: string): Promise<void> {
    const { cloud } = project;
    await eventually(async () => {
      const { snapshots } = await cloud.call<{ snapshots: { volume_id: string }[] }>(
        'volumev3',
        'GET',
        '/snapshots/detail',
      );
      return snapshots.every(({ volume_id }) => volume_id !== id);
    }, 120_000);
    await cloud.call('volumev3', 'DELETE', `/volumes/${id}`);
  }

  it("removes everything, including load balancers, except data and other clusters' resources", async () => {
    const cluster = await project.createActive({ agent_count: 2 });
    // The end of the job deletes the credential that created it.
    await eventually(async () => (await project.credentials()).length === 1);
    const own = await createBalancer(cluster.name);
    const neighbours = await createBalancer(`${cluster.name}_b`);
    assert.notEqual(own.id, neighbours.id);
    const given = await createBalancer(cluster.name, 'given', 'ours');
    const elsewhereId = await createBalancerElsewhere(cluster.name);
    const claimed = await createVolume({ 'cinder.csi.openstack.org/cluster': cluster.id });
    const foreign = await createVolume({ 'cinder.csi.openstack.org/cluster': 'another' });
    const snapshots = [await createSnapshot(claimed), await createSnapshot(foreign)];

    await remove(cluster.id);

    const deleted = await project.cleanedUp(cluster.id);
    assert.deepEqual(
      [deleted.status, deleted.status_reason, deleted.agent_count, deleted.server_vm_id],
      ['DELETED', KEPT, 0, null],
    );
    await project.hasOnly({
      loadbalancers: [neighbours.id],
      ports: [neighbours.portId],
      floatingips: [neighbours.floatingIpId, given.floatingIpId],
      volumes: [claimed, foreign],
    });
    const { floatingip } = await project.cloud.call<{ floatingip: { port_id: string | null } }>(
      'network',
      'GET',
      `/v2.0/floatingips/${given.floatingIpId}`,
    );
    assert.equal(floatingip.port_id, null);
    assert.deepEqual(await project.credentials(), []);
    const { status } = await project.mine.request('GET', `/api/lite/clusters/${cluster.id}/kubeconfig`);
    assert.equal(status, 404);
    const listed = await project.mine.read<{ id: string }[]>('/api/lite/clusters');
    const all = await project.mine.read<{ id: string }[]>('/api/lite/clusters?include_deleted=true');
    assert.deepEqual([listed.length, all.map(({ id }) => id)], [0, [cluster.id]]);
    const { cloud } = project;
    for (const id of snapshots) await cloud.call('volumev3', 'DELETE', `/snapshots/${id}`);
    for (const id of [claimed, foreign]) await removeVolume(id);
    for (const { floatingIpId } of [neighbours, given])
      await cloud.call('network', 'DELETE', `/v2.0/floatingips/${floatingIpId}`);
    await cloud.call('network', 'DELETE', `/v2.0/networks/${elsewhereId}`);
    await cloud.call('load-balancer', 'DELETE', `/v2.0/lbaas/loadbalancers/${neighbours.id}?cascade=true`);
    await project.hasOnly();
  });

  it('removes access rules unless another credential has them', async () => {
    const { cloud } = project.member;
    const path = `/users/${cloud.userId}/application_credentials`;
    const rule = { service: 'compute', method: 'GET', path: '/**v2**/servers/*' };
    const own = { service: 'compute', method: 'GET', path: '/v2.1/servers/*' };
    const create = async (name: string, access_rules: object[]) => {
      const { application_credential: made } = await cloud.call<{ application_credential: { id: string } }>(
        'identity',
        'POST',
        path,
        { application_credential: { name, secret: 'a secret of the test', access_rules } },
      );
      return made.id;
    };
    const cluster = await project.createActive({ agent_count: 0 });
    const kept = await create('kept', [rule]);
    // The gateway leaves rules that it has not made.
    await cloud.call('identity', 'DELETE', `${path}/${await create('removed', [own])}`);
    assert.ok((await project.accessRules()).length > 10);
    // While the job of the creation holds its credential, rules stay.
    await eventually(async () => (await project.credentials()).length === 2);

    await remove(cluster.id);

    await project.cleanedUp(cluster.id);
    assert.deepEqual((await project.accessRules()).sort(), [rule.path, own.path]);
    assert.deepEqual(await project.credentials(), ['kept']);
    await cloud.call('identity', 'DELETE', `${path}/${kept}`);
  });

  it('cancels a creation that waits for its control node, and cleans up', async () => {
    const creation = await project.create({ agent_count: 1 });
    await project.controlNode(creation);

    await remove(creation.clusterId);

    const messages = await messagesOf(creation.stream);
    assert.deepEqual([messages.at(-1)?.step, messages.at(-1)?.code], ['failed', 'cancelled']);
    const { status } = await project.mine.read<{ status: string }>(`/api/jobs/${creation.jobId}`);
    assert.equal(status, 'cancelled');
    assert.equal((await project.cleanedUp(creation.clusterId)).status, 'DELETED');
    await project.hasOnly();
    assert.deepEqual(await project.credentials(), []);
  });

  it('takes a cluster that failed, whose name is free afterwards', async () => {
    const creation = await project.create({ name: 'again', agent_count: 0 });
    const node = await project.controlNode(creation);
    assert.equal(await node.fails('no space left'), 200);
    await messagesOf(creation.stream);
    const { status, status_reason } = await readCluster(project.mine, creation.clusterId);
    assert.equal(status, 'ERROR');
    assert.match(status_reason ?? '', /no space left/);

    await remove(creation.clusterId);

    const second = await project.create({ name: 'again', agent_count: 0 });
    assert.notEqual(second.clusterId, creation.clusterId);
    await remove(second.clusterId);
    await project.cleanedUp(second.clusterId);
    await project.hasOnly();
  });

  it("works for another member after its creator's deletion", async () => {
    const cluster = await project.createActive({ agent_count: 1 });
    await project.member.setEnabled(false);
    try {
      await remove(cluster.id, project.colleague);

      assert.equal((await project.cleanedUp(cluster.id)).status_reason, null);
      assert.deepEqual(await project.credentials(), []);
    } finally {
      await project.member.setEnabled(true);
    }
  });
});
