import assert from 'node:assert/strict';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

interface Page {
  items: {
    id: string;
    resource_id: string | null;
    status: number;
    method: string;
    route: string;
    address: string;
    user_id: string | null;
    user_name: string | null;
    name_hash: string | null;
    project_id: string | null;
    target_project_id: string | null;
  }[];
}

const AUDIT = '/api/admin/audit';

describe('GET /api/admin/audit', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const redis = killableRedis();

  /** The records of a kind, once there are so many. */
  const recordsOf = (api: TestApi, as: TestCaller, kind: string, count: number) =>
    eventually(async () => {
      const { body } = await api.get<Page>(`${AUDIT}?kind=${kind}`, { as });
      return body.items.length >= count ? body.items : undefined;
    });

  const outline = (record: Page['items'][number]) => [
    `${record.method} ${record.route}`,
    record.status,
    record.address,
    record.user_id,
    record.user_name,
    record.project_id,
    record.target_project_id,
  ];

  it('deletes records that are older than the configured time', async () => {
    const api = await suite.start({ settings: { audit: { keep_seconds: 3600 } } });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    await api.request('DELETE', '/api/admin/gpu-quotas/someone/none', { as: admin });
    const items = await eventually(async () => {
      const { body } = await api.get<Page>(AUDIT, { as: admin });
      return body.items.length > 0 ? body.items : undefined;
    });

    assert.deepEqual(
      items.map(({ resource_id, status }) => [resource_id, status]),
      [['someone/none', 404]],
    );
    api.clock.advance(3660);
    const again = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    assert.deepEqual((await api.get<Page>(AUDIT, { as: again })).body.items, []);
  });

  it('has log-ins, log-outs and project switches, including refusals, with address and user', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    // A token that is checked while the log-out of another user is published is checked once more.
    assert.equal((await api.get(AUDIT, { as: admin })).status, 200);
    const user = newCaller({ userId: 'somebody', userName: 'Demo' });
    suite.cloud.acceptsLogIn(user);
    const login = { username: 'Demo', password: 'demo-secret' };
    assert.equal((await api.post('/api/auth/login', { body: login })).status, 200);
    suite.cloud.rejectsLogIn();
    assert.equal((await api.post('/api/auth/login', { body: { ...login, username: 'demo ' } })).status, 401);
    assert.equal((await api.post('/api/auth/login', { body: { username: 'demo' } })).status, 400);
    const { projectId } = user;
    const other = inOtherProject(user);
    suite.cloud.rescopesToken(user.token, other).deniesProject(user.token, 'closed');
    const switchTo = async (project_id: string) =>
      (await api.post('/api/auth/token', { as: user, body: { project_id } })).status;
    assert.equal(await switchTo(other.projectId), 200);
    assert.equal(await switchTo('closed'), 403);
    suite.cloud.revokesToken(user.token).revokesToken(other.token);
    assert.equal((await api.post('/api/auth/logout', { as: user })).status, 204);

    const session = await recordsOf(api, admin, 'session', 3);
    const refusal = await recordsOf(api, admin, 'refusal', 2);

    const whoWhere = ['127.0.0.1', 'somebody', 'Demo', projectId];
    assert.deepEqual(session.map(outline), [
      ['POST /api/auth/logout', 204, ...whoWhere, null],
      ['POST /api/auth/token', 200, ...whoWhere, other.projectId],
      ['POST /api/auth/login', 200, ...whoWhere, null],
    ]);
    assert.deepEqual(refusal.map(outline), [
      ['POST /api/auth/token', 403, ...whoWhere, 'closed'],
      ['POST /api/auth/login', 401, '127.0.0.1', null, null, null, null],
    ]);
    const nameHash = session[2]?.name_hash;
    assert.ok(nameHash);
    assert.equal(refusal[1]?.name_hash, nameHash, 'the same user, in another spelling');
    assert.doesNotMatch(JSON.stringify(refusal[1]), /demo/i);
    const lines = api.log.withMessage('Audit');
    assert.deepEqual(
      lines
        .slice(0, 2)
        .map(({ address, name_hash, status, user_id }) => [status, address, user_id, name_hash]),
      [
        [200, '127.0.0.1', 'somebody', nameHash],
        [401, '127.0.0.1', undefined, nameHash],
      ],
    );
  });

  it('contains the ids of created resources', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    suite.cloud.reply('identity/project-create');
    const body = { name: 'new' };

    const made = await api.post<{ id: string }>('/api/admin/projects', { as: admin, body });

    assert.equal(made.status, 201, made.text);
    const [record] = await recordsOf(api, admin, 'change', 1);
    assert.deepEqual([record?.resource_id, record?.address], [made.body.id, '127.0.0.1']);
    assert.equal(api.log.withMessage('Audit')[0]?.resource_id, made.body.id);
  });

  it('keeps the changes of administrators apart from what anybody can add', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    await api.request('DELETE', '/api/admin/gpu-quotas/someone/none', { as: admin });
    const member = suite.cloud.validCaller(newCaller({ userId: 'somebody', roles: ['member'] }));
    suite.cloud.deniesProject(member.token, 'closed');
    const body = { project_id: 'closed' };
    assert.equal((await api.post('/api/auth/token', { as: member, body })).status, 403);

    const [refusal] = await recordsOf(api, admin, 'refusal', 1);
    const changes = await recordsOf(api, admin, 'change', 1);

    assert.deepEqual([refusal?.route, refusal?.user_id], ['/api/auth/token', member.userId]);
    assert.deepEqual(
      changes.map(({ route }) => route),
      ['/api/admin/gpu-quotas/{project_id}/{gpu_type}'],
    );
    assert.deepEqual(await recordsOf(api, admin, 'session', 0), []);
  });

  it('has the address from a trusted proxy, and forwards it if configured', async () => {
    const admin = newCaller({ roles: ['admin'] });
    for (const forward_client_address of [false, true]) {
      const http = { trusted_proxies: ['127.0.0.1'], forward_client_address };
      const api = await suite.start({ settings: { http } });
      suite.cloud.acceptsToken(admin);
      const request = { as: admin, headers: { 'x-forwarded-for': '198.51.100.7' } };
      const path = '/api/admin/gpu-quotas/someone/none';
      assert.equal((await api.request('DELETE', path, request)).status, 404);
      const [record] = await recordsOf(api, admin, 'change', 1);
      assert.equal(record?.address, '198.51.100.7');
    }
    const seen = suite.cloud.upstream.calls.map(({ headers }) => headers['x-forwarded-for']);
    assert.deepEqual(seen, [undefined, '198.51.100.7']);
  });

  it('leaves out records that it cannot read, and counts them', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const remove = (id: string) => api.request('DELETE', `/api/admin/gpu-quotas/${id}/none`, { as: admin });
    await remove('first');
    await recordsOf(api, admin, 'change', 1);
    for (const text of ['{"form":99}', '{'])
      await api.context.redis.store.xadd('{audit}:records:change', '*', 'record', text);
    await remove('second');

    const items = await recordsOf(api, admin, 'change', 2);

    assert.deepEqual(
      items.map(({ resource_id }) => resource_id),
      ['second/none', 'first/none'],
    );
    const [line] = api.log.withMessage('Audit records cannot be read');
    assert.equal(line?.count, 2);
  });

  it('does not affect changes while the store is unavailable, nor the log', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    await redis.killAndWait(api);
    const admin = newCaller({ roles: ['admin'] });
    suite.cloud.acceptsToken(admin);
    suite.cloud.reply('identity/project-create', {
      method: 'DELETE',
      path: '/v3/users/someone',
      status: 204,
      body: '',
    });

    const answer = await api.request('DELETE', '/api/admin/users/someone', { as: admin });

    assert.equal(answer.status, 204, answer.text);
    const [line] = await eventually(async () => {
      const lines = api.log.withMessage('Audit');
      return lines.length > 0 ? lines : undefined;
    });
    assert.equal(line?.resource_id, 'someone');
    await eventually(async () => api.log.withMessage('An audit record could not be stored').length === 1);
  });
});
