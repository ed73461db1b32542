import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { deleteCluster, readCluster } from '../support/lite/clusters.ts';
import { LiteProject } from '../support/lite/lite-project.ts';
import { createServiceLoadBalancer } from '../support/lite/service-load-balancer.ts';
import { simulatedCloud } from '../support/stacks/test-stack.ts';

interface DeletionJob {
  id: string;
  type: string;
  status: string;
  leftovers: { type: string; id: string }[];
}

describe('a lite cluster of which the cloud refuses to remove a part', function () {
  this.timeout(240_000);
  let project: LiteProject;
  let control: CloudsimControl;

  before(async () => {
    project = await LiteProject.start({
      ...simulatedCloud,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      config: {
        jobs: { sweep_seconds: 1, poll_interval_ms: 50 },
        time_limits: { undo_seconds: 1, step_retry_seconds: 0 },
        lite: { plugins: { cloud_controller_enabled: true, file_csi_enabled: true }, floating_ip: true },
      },
    });
    control = new CloudsimControl(project.stack.cloudsim?.url ?? '');
  });

  after(async () => {
    await control?.clear();
    await project?.stop();
  });

  async function deletionJob(): Promise<DeletionJob> {
    const { items } = await project.mine.read<{ items: DeletionJob[] }>('/api/jobs');
    // The latest comes first.
    return items.find(({ type }) => type === 'lite.delete') ?? assert.fail('There is no job.');
  }

  it('is deleted otherwise, reports it, and completes when the cloud agrees', async () => {
    const cluster = await project.createActive({ agent_count: 1 });
    await control.addFault({ operation: 'security_groups.delete', status: 500, times: 0 });
    await control.addFault({ operation: 'floating_ips.delete', status: 503, times: 0 });

    assert.equal((await deleteCluster(project.mine, cluster.id)).status, 204);

    const { id: jobId, leftovers } = await eventually(async () => {
      const job = await deletionJob();
      return job.status === 'completed' ? job : undefined;
    }, 120_000);
    assert.deepEqual(leftovers.map(({ type }) => type).sort(), ['floating_ip', 'security_group']);
    const told = await readCluster(project.mine, cluster.id);
    assert.equal(told.status, 'DELETED');
    for (const { id } of leftovers) assert.ok(told.status_reason?.includes(id), told.status_reason ?? '');
    assert.match(told.status_reason ?? '', /tries again/);
    assert.deepEqual(await project.credentials(), []);
    const idOf = (kind: string) => leftovers.filter(({ type }) => type === kind).map(({ id }) => id);
    await project.hasOnly({
      security_groups: idOf('security_group'),
      floatingips: idOf('floating_ip'),
    });

    await control.clear();

    await eventually(async () => {
      assert.equal((await readCluster(project.mine, cluster.id)).status_reason, null);
      assert.deepEqual((await project.mine.read<DeletionJob>(`/api/jobs/${jobId}`)).leftovers, []);
      return true;
    }, 60_000);
    await project.hasOnly();
  });

  it('goes with its machines while lists fail, says so, and then completes', async () => {
    const cluster = await project.createActive({ agent_count: 1 });
    const { subnetId } = project;
    const balancerId = await createServiceLoadBalancer(project.cloud, {
      clusterName: cluster.name,
      subnetId,
    });
    const requestId = newRequestId();
    const fails = (operation: string, status: number) =>
      control.addFault({ requestId, operation, status, times: 0 });
    await fails('loadbalancers.list', 403);
    await fails('servers.list_detail', 404);
    await fails('volumes.list_detail', 500);
    await fails('ports.list', 503);

    const path = `/api/lite/clusters/${cluster.id}`;
    assert.equal((await project.mine.request('DELETE', path, undefined, requestId)).status, 204);

    const told = async () => (await readCluster(project.mine, cluster.id)).status_reason ?? '';
    await eventually(async () => /Load balancers could not be searched for yet/.test(await told()));
    const { leftovers } = await eventually(async () => {
      const job = await deletionJob();
      return job.status === 'completed' ? job : undefined;
    }, 120_000);
    const hidden = ['load_balancer', 'port', 'server', 'volume'];
    assert.deepEqual(
      leftovers.map(({ type, id }) => `${type} ${id === '' ? 'unknown' : 'known'}`).sort(),
      // The port that nobody finds has the security group.
      [...hidden.map((type) => `${type} unknown`), 'security_group known'].sort(),
    );
    for (const type of hidden)
      assert.match(await told(), new RegExp(`${type.replace('_', ' ')}s could not`, 'i'));
    const { loadbalancers = [], servers, volumes } = await project.remains();
    assert.deepEqual([loadbalancers.includes(balancerId), servers, volumes], [true, [], []]);

    await control.clear();

    await eventually(async () => (await told()) === '', 60_000);
    await project.hasOnly();
  });

  it('counts the shares of claims later if the service fails', async () => {
    const cluster = await project.createActive({ agent_count: 0 });
    const { cloud } = project;
    const { share } = await cloud.call<{ share: { id: string } }>('sharev2', 'POST', '/shares', {
      share: { share_proto: 'NFS', size: 1, metadata: { 'manila.csi.openstack.org/cluster': cluster.id } },
    });
    await control.addFault({ operation: 'shares.list_detail', status: 503, times: 0 });

    assert.equal((await deleteCluster(project.mine, cluster.id)).status, 204);

    const told = async () => (await readCluster(project.mine, cluster.id)).status_reason ?? '';
    await eventually(async () => /Claim shares could not be searched for yet/.test(await told()), 120_000);
    await control.clear();
    await eventually(async () => /claims was kept: 1 share\./.test(await told()), 60_000);
    await cloud.call('sharev2', 'DELETE', `/shares/${share.id}`);
  });
});
