import assert from 'node:assert/strict';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { deleteCluster, readCluster } from '../support/lite/clusters.ts';
import { LiteProject } from '../support/lite/lite-project.ts';
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
        lite: { plugins: { cloud_controller_enabled: true }, floating_ip: true },
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
});
