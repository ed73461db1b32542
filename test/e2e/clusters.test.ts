import assert from 'node:assert/strict';
import type { ManagedCluster } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { ClusterProject } from '../support/projects/cluster-project.ts';
import { followed } from '../support/subjects/followed.ts';

const LIST = '/api/clusters';
const MISSING = '00000000-0000-4000-8000-000000000000';

describe('managed clusters', function () {
  this.timeout(300_000);
  let project: ClusterProject;

  before(async () => {
    project = await ClusterProject.start({ startsJobs: true });
  });

  after(() => project?.remove());

  async function make(body: object = {}): Promise<ManagedCluster> {
    const answer = await project.ask<ManagedCluster>('POST', LIST, {
      name: 'made',
      cluster_template_id: project.templateId,
      ...body,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  async function refused(method: string, path: string, body?: object): Promise<[number, string]> {
    const answer = await project.ask<ErrorBody>(method, path, body);
    return [answer.status, answer.body.code];
  }

  it('are followed to their end, and removed when they are cancelled', async () => {
    const endpoint = 'POST /api/clusters/async';
    const body = { name: 'followed', cluster_template_id: project.templateId, node_count: 2 };
    const events = await followed(project.mine, endpoint, { body });

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'CREATING', 'COMPLETED'],
      events.at(-1)?.error ?? '',
    );
    const id = events.at(-1)?.resource_id ?? '';
    const { node_count, status } = await project.read<ManagedCluster>(`${LIST}/${id}`);
    assert.deepEqual([node_count, status], [2, 'CREATE_COMPLETE']);

    const cancelled = await followed(project.mine, endpoint, { body }, async ({ job_id, step }) => {
      if (step !== 'CREATING') return;
      assert.equal((await project.ask('POST', `/api/jobs/${job_id}/cancel`)).status, 202);
    });

    assert.deepEqual([cancelled.at(-1)?.step, cancelled.at(-1)?.resource_id], ['FAILED', null]);
    assert.deepEqual(
      (await project.read<ManagedCluster[]>(LIST)).map((cluster) => cluster.id),
      [id],
    );
    const refusal = await followed(project.mine, endpoint, {
      body: { ...body, cluster_template_id: MISSING },
    });
    assert.deepEqual([refusal.at(-1)?.step, refusal.at(-1)?.code], ['FAILED', 'invalid_input']);
    await project.ask('DELETE', `${LIST}/${id}`);
    await project.until(`${LIST}/${id}`, (code) => code === 404);
  });

  it('are created, listed, read and deleted', async () => {
    const made = await make({ name: 'workers', node_count: 2 });
    const path = `${LIST}/${made.id}`;
    const complete = await project.until<ManagedCluster>(
      path,
      (_, { status }) => status === 'CREATE_COMPLETE',
    );
    const listed = await project.read<ManagedCluster[]>(LIST);

    assert.deepEqual(
      [
        complete.name,
        complete.node_count,
        complete.master_count,
        complete.cluster_template_id,
        complete.keypair,
      ],
      ['workers', 2, 1, project.templateId, ''],
    );
    assert.match(complete.api_address, /^https:/);
    assert.notEqual(complete.stack_id, null);
    assert.deepEqual(listed, [complete]);
    assert.equal((await project.ask('DELETE', path)).status, 204);
    await project.until(path, (status) => status === 404);
    assert.deepEqual(await refused('DELETE', path), [404, 'not_found']);
    assert.deepEqual(await project.read<ManagedCluster[]>(LIST), []);
  });

  it('have one node per kind by default, and no lookup by name', async () => {
    const { id, node_count, master_count } = await make({ name: 'by-name' });

    assert.deepEqual([node_count, master_count], [1, 1]);
    assert.deepEqual(await refused('GET', `${LIST}/by-name`), [404, 'not_found']);
    assert.deepEqual(await refused('DELETE', `${LIST}/by-name`), [404, 'not_found']);
    assert.deepEqual(await refused('GET', `${LIST}/${MISSING}`), [404, 'not_found']);
    assert.equal((await project.ask('GET', `${LIST}/${id}`)).status, 200);
  });

  it('exist for their own project only', async () => {
    const { id } = await make();

    await project.isUnlisted(LIST, id);
    await project.isHidden('GET', `${LIST}/${id}`);
    await project.isHidden('DELETE', `${LIST}/${id}`);
  });

  it('reject unknown resources with 400, and an exceeded quota with 409', async () => {
    const body = { name: 'refused', cluster_template_id: project.templateId };
    const invalid = [
      { ...body, cluster_template_id: MISSING },
      { ...body, keypair: 'no-such-key' },
      { ...body, name: '1 2 3' },
      { ...body, node_count: 0 },
      { ...body, master_count: 0 },
    ];
    for (const request of invalid) {
      assert.deepEqual(await refused('POST', LIST, request), [400, 'invalid_input'], JSON.stringify(request));
    }
    const { errors } = await project.admin.call<{ errors: [{ detail: string }] }>(
      'container-infra',
      'POST',
      '/clusters',
      { ...body, node_count: 0 },
      [400],
    );
    assert.match(errors[0].detail, /to zero is not supported/);
    await project.admin.call('container-infra', 'POST', '/quotas', {
      project_id: project.id,
      resource: 'Cluster',
      hard_limit: 0,
    });
    assert.deepEqual(await refused('POST', LIST, body), [409, 'quota_exceeded']);
  });
});
