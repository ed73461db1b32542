import assert from 'node:assert/strict';
import type { UserRecord } from '@gateway/openstack';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

const USERS = '/api/admin/users';
const recorded = fixtureBody<UserRecord>('identity/user-create', 'user');
const ROW = {
  id: recorded.id,
  name: recorded.name,
  email: recorded.email,
  enabled: true,
  domain_id: recorded.domain_id,
  domain_name: 'Default',
  default_project_id: null,
  default_project_name: null,
  created_at: null,
};

interface Page {
  items: { id: string; name: string }[];
  next_marker: string | null;
  count: number;
  total: number;
}

describe('GET /api/admin/users', () => {
  const suite = apiSuite();
  const named = (name: string, id = `id-${name}`) => ({ ...recorded, id, name });

  it('reads all users once for several pages, and sorts them', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const users = [named('b'), named('c'), named('a', 'z'), named('a', 'y')];
    suite.cloud.reply('identity/users', { body: { users } }).reply('identity/domains');

    const first = await api.get<Page>(`${USERS}?limit=3`, { as: admin });
    const last = await api.get<Page>(`${USERS}?limit=3&marker=${first.body.next_marker}`, { as: admin });
    const whole = await api.get<Page>(`${USERS}?limit=4`, { as: admin });

    assert.deepEqual(
      first.body.items.map(({ id }) => id),
      ['y', 'z', 'id-b'],
    );
    assert.deepEqual([first.body.next_marker, first.body.count], ['id-b', 3]);
    assert.deepEqual(
      [last.body.items.map(({ id }) => id), last.body.next_marker, last.body.count],
      [['id-c'], null, 1],
    );
    assert.deepEqual(
      [whole.body.count, whole.body.next_marker],
      [4, null],
      'the last page, though it is full',
    );
  });

  it('selects and orders users, and counts those of all pages', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const users = [named('a'), named('b'), { ...named('c'), enabled: false }, named('d')];
    suite.cloud.reply('identity/users', { body: { users } }).reply('identity/domains');
    const read = (query: string) => api.get<Page & ErrorBody>(`${USERS}?${query}`, { as: admin });

    const first = (await read('enabled=true&sort=name:desc&limit=2')).body;
    const last = (await read(`enabled=true&sort=name:desc&limit=2&marker=${first.next_marker}`)).body;
    const none = (await read('enabled=true&email=nobody@example.org')).body;

    const summary = ({ items, total }: Page) => [items.map(({ name }) => name), total];
    assert.deepEqual([first, last, none].map(summary), [
      [['d', 'b'], 3],
      [['a'], 3],
      [[], 0],
    ]);
    assert.equal((await read('sort=password')).body.errors?.[0]?.field, 'query.sort');
    assert.equal((await read('marker=none')).body.errors?.[0]?.field, 'query.marker');
  });

  it('reads all users anew on request', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    for (const name of ['before', 'after'])
      suite.cloud.reply('identity/users', { body: { users: [named(name)] } }).reply('identity/domains');
    const names = async (query = '') =>
      (await api.get<Page>(`${USERS}${query}`, { as: admin })).body.items.map(({ name }) => name);

    const read = [await names(), await names(), await names('?refresh=true')];

    assert.deepEqual(read, [['before'], ['before'], ['after']]);
  });

  it('has the identity service search by name, in pages', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const users = [named('tea-b'), { ...named('tea-a'), domain_id: 'physics' }];
    const path = '/v3/users?name__icontains=tea&limit=1000';
    suite.cloud.reply('identity/users', { path, body: { users }, times: 2 });

    const first = await api.get<Page>(`${USERS}?name=tea&limit=1`, { as: admin });
    const last = await api.get<Page>(`${USERS}?name=tea&limit=1&marker=id-tea-a`, { as: admin });

    assert.deepEqual(
      [...first.body.items, ...last.body.items].map(({ name }) => name),
      ['tea-a', 'tea-b'],
    );
  });

  it('shares the list among administrators, and reloads it after a write', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const other = suite.cloud.validCaller(
      newCaller({ roles: ['admin', 'member'], projectId: 'p'.repeat(32), userId: 'another' }),
    );
    suite.cloud
      .reply('identity/users', { body: { users: [] } })
      .reply('identity/users', { path: '/v3/users?domain_id=default&limit=1000', body: { users: [] } })
      .reply('identity/domains', { times: 2 });
    await api.get(USERS, { as: admin });
    await api.get(USERS, { as: other });
    suite.cloud.reply('identity/user-create');
    await api.post(USERS, { as: other, body: { name: 'x' } });
    suite.cloud.reply('identity/users', { body: { users: [recorded] } });

    const { body } = await api.get<Page>(USERS, { as: admin });

    assert.deepEqual(body.items, [ROW]);
  });

  it('rejects an unknown marker and a limit out of range', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    suite.cloud.reply('identity/users');

    for (const query of ['marker=unknown', 'limit=0', 'limit=101', 'limit=x']) {
      const answer = await api.get<ErrorBody>(`${USERS}?${query}`, { as: admin });
      const field = `query.${query.split('=')[0]}`;
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field]);
    }
  });
});

describe('POST /api/admin/users', () => {
  const suite = apiSuite();

  it('creates an enabled user', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const body = { name: 'u', email: 'u@example.test', password: 'pass-word-1', domain_id: 'default' };
    suite.cloud.reply('identity/user-create', { requestBody: { user: { ...body, enabled: true } } });

    const answer = await api.post(USERS, { as: admin, body });

    assert.deepEqual([answer.status, answer.body], [201, ROW]);
    assert.doesNotMatch(api.log.text(), /pass-word-1/);
  });

  it('rejects a name in use with 409, and invalid input without calls', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    suite.cloud.reply('identity/user-exists');

    const taken = await api.post<ErrorBody>(USERS, { as: admin, body: { name: 'u' } });
    assert.deepEqual([taken.status, taken.body.code], [409, 'conflict']);
    for (const [field, body] of [
      ['name', {}],
      ['name', { name: ' a' }],
      ['email', { name: 'a', email: 'nobody' }],
      ['email', { name: 'a', email: 'no\u0007body@example.org' }],
      ['email', { name: 'a', email: 'no\u202ebody@example.org' }],
      ['password', { name: 'a', password: '' }],
      ['enabled', { name: 'a', enabled: 'yes' }],
      ['domain_id', { name: 'a', domain_id: '../x' }],
    ] as const) {
      const answer = await api.post<ErrorBody>(USERS, { as: admin, body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, `body.${field}`]);
    }
  });

  it("returns the policy's reason for refusing a password", async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const message = 'The password does not match the requirements: at least 12 characters.';
    suite.cloud.reply('identity/user-create', {
      status: 400,
      body: { error: { code: 400, message, title: 'Bad Request' } },
    });

    const answer = await api.post<ErrorBody>(USERS, { as: admin, body: { name: 'a', password: 'x' } });

    assert.deepEqual([answer.status, answer.body.detail], [400, message]);
  });
});

describe('PATCH and DELETE /api/admin/users/{user_id}', () => {
  const suite = apiSuite();
  const path = `${USERS}/${recorded.id}`;
  const { path: recordedPath } = fixture('identity/user-update').request;

  it("refuses to disable or delete the caller's own account", async () => {
    const api = await suite.start();
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: recorded.id }));
    const before = suite.cloud.calls().length;

    const disabled = await api.request<ErrorBody>('PATCH', path, { as, body: { enabled: false } });
    const deleted = await api.request<ErrorBody>('DELETE', path, { as });

    for (const [answer, verb] of [
      [disabled, 'disable'],
      [deleted, 'delete'],
    ] as const) {
      assert.deepEqual([answer.status, answer.body.reason], [409, 'protected']);
      assert.equal(answer.body.detail, `You cannot ${verb} your own account.`);
    }
    assert.equal(suite.cloud.calls().length, before + 1);
  });

  async function logIn(api: TestApi): Promise<TestCaller> {
    const user = newCaller({ userId: recorded.id });
    suite.cloud.acceptsLogIn(user);
    const body = { username: recorded.name, password: 'demo-secret' };
    assert.equal((await api.post('/api/auth/login', { body })).status, 200);
    return user;
  }

  it('sends only what changes, and returns the whole user', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    suite.cloud.reply('identity/user-update', { requestBody: { user: { email: '' } } });

    const answer = await api.request('PATCH', path, { as: admin, body: { email: '', name: null } });

    assert.deepEqual([answer.status, answer.body], [200, { ...ROW, email: '' }]);
  });

  it("invalidates the user's tokens in every process, even if the service fails", async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: 'administrator' }));
    const bystander = newCaller({ userId: 'somebody-else' });
    suite.cloud.acceptsToken(bystander);
    await other.get('/api/auth/me', { as: bystander });
    const writes = [
      () => {
        suite.cloud.reply('identity/user-update');
        return api.request('PATCH', path, { as: admin, body: { enabled: false } });
      },
      () => {
        suite.cloud.reply('identity/user-update', { status: 500, body: {} });
        return api.request('PATCH', path, { as: admin, body: { password: 'next' } });
      },
      () => {
        suite.cloud.reply('identity/user-remove');
        return api.request('DELETE', path, { as: admin });
      },
    ];
    for (const write of writes) {
      const user = newCaller({ userId: recorded.id });
      suite.cloud.acceptsToken(user);
      await other.get('/api/auth/me', { as: user });

      const { status } = await write();

      assert.ok([200, 204, 502].includes(status));
      suite.cloud.rejectsToken(user.token);
      assert.equal((await other.get('/api/auth/me', { as: user })).status, 401);
    }
    assert.equal((await other.get('/api/auth/me', { as: bystander })).status, 200);
  });

  it('ends the sessions of a user whose tokens stop working', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 600 } } });
    const other = await suite.start({
      keyPrefix: api.keyPrefix,
      settings: { session: { token_cache_seconds: 600 } },
    });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: 'administrator' }));
    for (const write of [
      { method: 'PATCH', body: { password: 'next-secret-1' }, call: 'identity/user-update' },
      { method: 'PATCH', body: { enabled: false }, call: 'identity/user-update' },
      { method: 'DELETE', call: 'identity/user-remove' },
    ]) {
      const { body, call, method } = write;
      const before = await logIn(api);
      const elsewhere = await logIn(other);
      assert.equal((await other.get('/api/auth/me', { as: before })).status, 200);
      suite.cloud.reply(call);

      const { status } = await api.request(method, path, { as: admin, ...(body && { body }) });

      assert.ok([200, 204].includes(status), `${method} ${status}`);
      // No call to the identity service is declared, so its own cache cannot matter.
      for (const as of [before, elsewhere]) {
        const ended = await other.get<ErrorBody>('/api/auth/me', { as });
        assert.deepEqual([ended.status, ended.body.code], [401, 'session_expired'], JSON.stringify(write));
      }
      const anew = await logIn(api);
      const { body: listed } = await api.get<object[]>('/api/auth/sessions', { as: anew });
      assert.equal(listed.length, 1, 'only the session of the new log-in');
    }
  });

  it('ends no session after another change, or a refused one', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 600 } } });
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: 'administrator' }));
    const user = await logIn(api);
    suite.cloud
      .reply('identity/user-update')
      .reply('identity/user-update', { status: 400, body: { error: { code: 400, message: 'Too short.' } } });

    const renamed = await api.request('PATCH', path, { as: admin, body: { email: 'n@example.test' } });
    const refused = await api.request('PATCH', path, { as: admin, body: { password: 'x' } });

    assert.deepEqual([renamed.status, refused.status], [200, 400]);
    suite.cloud.acceptsToken(user);
    const { body } = await api.get<object[]>('/api/auth/sessions', { as: user });
    assert.equal(body.length, 1);
  });

  it('refuses to delete the account of the caller, before any call', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

    const answer = await api.request<ErrorBody>('DELETE', `${USERS}/${admin.userId}`, { as: admin });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.ok(!suite.cloud.calls().some((call) => call === `DELETE ${recordedPath}`));
  });
});
