import assert from 'node:assert/strict';
import type { ClusterRecord } from '@gateway/openstack';
import type { ManagedCluster } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody, type ReplyOptions } from '../../support/doubles/upstream.ts';

const LIST = '/api/clusters';
const body = { name: 'workers', cluster_template_id: 'template-1' };
const sent = { ...body, node_count: 1, master_count: 1 };

describe('managed clusters', () => {
  const suite = apiSuite();

  function clusterOf({ projectId }: TestCaller, differences: Partial<ClusterRecord> = {}): ClusterRecord {
    const recorded = fixtureBody<ClusterRecord>('container-infra/cluster');
    return { ...recorded, uuid: 'cluster-1', project_id: projectId, ...differences };
  }

  function answers(call: string, response: unknown, options: ReplyOptions = {}): void {
    const [method = '', path = ''] = call.split(' ');
    suite.cloud.reply('container-infra/cluster', {
      method,
      path: `/v1${path}`,
      status: 200,
      body: response,
      ...options,
    });
  }

  function refuses(call: string, status: number, detail: string, times = 1): void {
    answers(call, { errors: [{ status, code: 'client', title: detail, detail }] }, { status, times });
  }

  it('are listed, those of the project only', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const mine = clusterOf(caller, { created_at: '2026-11-22T03:00:00+00:00', updated_at: null });
    answers('GET /clusters/detail', { clusters: [mine, clusterOf(caller, { project_id: OTHER_PROJECT })] });

    const answer = await api.get<ManagedCluster[]>(LIST, { as: caller });

    assert.deepEqual(answer.body, [
      {
        id: 'cluster-1',
        name: mine.name,
        status: 'CREATE_COMPLETE',
        status_reason: '',
        cluster_template_id: mine.cluster_template_id,
        cluster_template_name: null,
        master_count: 1,
        node_count: 1,
        api_address: mine.api_address,
        coe_version: mine.coe_version,
        keypair: '',
        create_timeout: 60,
        stack_id: mine.stack_id,
        created_at: '2026-11-22T03:00:00Z',
        updated_at: null,
        managed_by: null,
        allowed_actions: ['delete'],
      },
    ]);
  });

  it('are created, also if the new cluster cannot be read', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers('POST /clusters', { uuid: 'cluster-1' }, { status: 202, requestBody: sent });
    refuses('GET /clusters/cluster-1', 500, 'Internal');

    const answer = await api.post<ManagedCluster>(LIST, { as: caller, body });

    const { id, status, node_count } = answer.body;
    assert.deepEqual([answer.status, id, status, node_count], [201, 'cluster-1', 'CREATE_IN_PROGRESS', 1]);
  });

  it('without nodes are 400 at the field, before any call', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    for (const path of [LIST, `${LIST}/async`]) {
      const answer = await api.post<ErrorBody>(path, { as: caller, body: { ...body, node_count: 0 } });
      const fields = (answer.body.errors ?? []).map(({ field }) => field);
      assert.deepEqual([answer.status, fields], [400, ['body.node_count']], path);
    }
  });

  it('are 400 with an unknown key pair, and 409 beyond the quota', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    refuses('POST /clusters', 404, 'Unable to find keypair none.');
    refuses(
      'POST /clusters',
      403,
      'Resource limit exceeded: You have reached the maximum clusters per project, 20. You may delete a cluster to make room for a new one.',
    );

    const missing = await api.post<ErrorBody>(LIST, { as: caller, body: { ...body, keypair: 'none' } });
    const full = await api.post<ErrorBody>(LIST, { as: caller, body });

    assert.deepEqual([missing.status, missing.body.code], [400, 'invalid_input']);
    assert.deepEqual([full.status, full.body.code], [409, 'quota_exceeded']);
    assert.match(full.body.detail, /clusters is exceeded: 20 allowed/);
  });

  it('are read again while the service is removing them', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    refuses('GET /clusters/cluster-1', 400, 'Invalid input for field/attribute master_count.');
    refuses('GET /clusters/cluster-1', 404, 'Cluster cluster-1 could not be found.');

    const answer = await api.get(`${LIST}/cluster-1`, { as: caller });

    assert.equal(answer.status, 404);
  });

  it('of other projects, and named instead of by id, are 404', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    answers('GET /clusters/cluster-1', clusterOf(caller, { project_id: OTHER_PROJECT }), { times: 2 });
    answers('GET /clusters/workers', clusterOf(caller, { name: 'workers' }));

    const refused = [
      await api.get(`${LIST}/cluster-1`, { as: caller }),
      await api.request('DELETE', `${LIST}/cluster-1`, { as: caller }),
      await api.request('DELETE', `${LIST}/workers`, { as: caller }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [404, 404, 404],
    );
  });

  it('are 404 while the service is disabled or missing in the cloud', async () => {
    const caller = suite.cloud.validCaller(newCaller());
    const off = await suite.start({ settings: { services: { container_infra: false } } });
    const missing = await suite.start({ settings: { identity: { region: 'Elsewhere' } } });

    const answers404 = [
      await off.get<ErrorBody>(LIST, { as: caller }),
      await missing.get<ErrorBody>(LIST, { as: caller }),
    ];

    assert.deepEqual(
      answers404.map(({ status, body: { code } }) => [status, code]),
      [
        [404, 'service_disabled'],
        [404, 'service_disabled'],
      ],
    );
  });

  it('are created at most five times a minute', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const body = { name: 'c', cluster_template_id: 'template-1' };
    refuses('POST /clusters', 403, 'You are not authorized.', 5);

    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await api.post(LIST, { as: caller, body })).status);
    }

    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429]);
  });
});
