import assert from 'node:assert/strict';
import { fieldsOf } from '@gateway/core/shapes';
import { readQueued } from '@gateway/jobs';
import { effectsOf } from '../../../apps/api/src/pipeline/writes.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { answers, backupOf, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import { instanceRequest, newCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

describe('the audit line', () => {
  const suite = apiSuite();

  /** The ids and the jobs in the audit lines, once there are so many. */
  const audited = (api: TestApi, count = 1) =>
    eventually(async () => {
      const lines = api.log.withMessage('Audit');
      return lines.length >= count
        ? lines.map(({ resource_id, job_id }) => [resource_id, job_id])
        : undefined;
    });

  it('of a new key pair has its name', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypair-create');
    const { name } = fixtureBody<{ name: string }>('compute/keypair-create', 'keypair');

    assert.equal((await api.post('/api/keypairs', { as: caller, body: { name } })).status, 200);

    assert.deepEqual(await audited(api), [[name, undefined]]);
  });

  it("of an asynchronous creation has its job, and a cluster's id", async () => {
    const lite = { image: 'debian-12', server_flavor: 'm1.small', agent_flavor: 'm1.tiny' };
    const settings = { public_endpoint: { url: 'https://gateway.example.org' }, lite };
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    const create = async (path: string, body: object) => {
      const headers = { 'idempotency-key': path };
      const stream = await api.stream('POST', path, { as: caller, body, headers });
      stream.close();
      const jobId = String(stream.headers.get('x-job-id'));
      const queued = await readQueued(api.context.redis.store, jobId);
      const { clusterId } = (queued?.payload ?? {}) as { clusterId?: string };
      return [clusterId, jobId];
    };

    const instance = await create('/api/instances/async', instanceRequest());
    assert.deepEqual(await audited(api), [instance]);
    const cluster = await create('/api/lite/clusters/async', { name: 'web' });
    await audited(api, 2);
    assert.deepEqual(await create('/api/lite/clusters/async', { name: 'web' }), cluster);

    assert.ok(instance[1] !== undefined && cluster[0] !== undefined);
    assert.deepEqual(await audited(api, 3), [instance, cluster, cluster]);
  });

  it('of a restored backup has the volume, also in a replay', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /backups/backup-1', { backup: backupOf() }, { times: 2 });
    answers(suite.cloud, 'POST /volumes', { volume: volumeOf(caller, { id: 'new' }) }, { status: 202 });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) }, { times: 2 });
    const restored = { backup_id: 'backup-1', volume_id: VOLUME_ID, volume_name: 'data' };
    answers(suite.cloud, 'POST /backups/backup-1/restore', { restore: restored }, { status: 202 });
    const restore = async (body?: object, headers?: Record<string, string>) => {
      const answer = await api.post('/api/volumes/backups/backup-1/restore', { as: caller, body, headers });
      assert.equal(answer.status, 200, answer.text);
    };

    await restore();
    await restore({ volume_id: VOLUME_ID }, { 'idempotency-key': 'once' });
    await restore({ volume_id: VOLUME_ID }, { 'idempotency-key': 'once' });

    assert.deepEqual(await audited(api, 3), [
      ['backup-1/new', undefined],
      [`backup-1/${VOLUME_ID}`, undefined],
      [`backup-1/${VOLUME_ID}`, undefined],
    ]);
  });

  it('of a role has who gets or loses it, where, and which', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const ids = fixture('identity/grant').request.path.match(/[0-9a-f]{32}/g) ?? [];
    const [project_id, group_id, role_id] = ids;
    const role = { project_id, group_id, role_id };
    suite.cloud
      .reply('identity/project', { path: `/v3/projects/${project_id}`, times: 2 })
      .reply('identity/grant')
      .reply('identity/group-users', { times: 2 });

    const path = '/api/admin/roles/assign-group';
    assert.equal((await api.post(path, { as: admin, body: role })).status, 200);
    suite.cloud.reply('identity/grant', { method: 'DELETE' });
    const query = new URLSearchParams(role as Record<string, string>);
    assert.equal((await api.request('DELETE', `${path}?${query}`, { as: admin })).status, 200);

    const named = [`${group_id}/${project_id}/${role_id}`, undefined];
    assert.deepEqual(await audited(api, 2), [named, named]);
  });

  it('of a flavor has the added project or extra spec', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const [access] = fixtureBody<{ flavor_id: string; tenant_id: string }[]>(
      'compute/flavor-access-add',
      'flavor_access',
    );
    const { flavor_id: id, tenant_id: project_id } = access ?? { flavor_id: '', tenant_id: '' };
    const path = `/v3/projects/${project_id}`;
    const project = { ...fixtureBody<object>('identity/project', 'project'), id: project_id };
    suite.cloud
      .reply('identity/project', { path, body: { project } })
      .reply('compute/flavor-access-add')
      .reply('identity/projects')
      .reply('compute/flavor-extra-specs', { path: `/v2.1/flavors/${id}/os-extra_specs` });
    const flavor = `/api/admin/flavors/${id}`;

    const spec = { key: 'hw:cpu_policy', value: 'dedicated' };
    assert.equal((await api.post(`${flavor}/access`, { as: admin, body: { project_id } })).status, 201);
    assert.equal((await api.post(`${flavor}/extra-specs`, { as: admin, body: spec })).status, 200);

    assert.deepEqual(await audited(api, 2), [
      [`${id}/${project_id}`, undefined],
      [`${id}/hw:cpu_policy`, undefined],
    ]);
  });

  it('can name what each POST creates', () => {
    const unnamed = endpoints.filter((endpoint) => {
      const { access, method, path, response, startsJob, writes } = endpoint;
      if (method !== 'POST' || access === 'public' || writes === 'session' || writes === 'nothing')
        return false;
      if (effectsOf(endpoint).some(({ id, part }) => id !== undefined || part !== undefined)) return false;
      if (startsJob) return false;
      return endpoint.status === 201 ? !(response && fieldsOf(response).has('id')) : !path.includes('/:');
    });

    assert.deepEqual(
      unnamed.map(({ path }) => path),
      // The first only prolongs the session; the others return a secret for a stream.
      ['/api/auth/extend-session', '/api/jobs/:job_id/ticket', '/api/events/ticket'],
    );
  });
});
