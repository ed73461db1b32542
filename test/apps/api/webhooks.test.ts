import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { everythingIn } from '../../packages/jobs/redis-contents.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const WEBHOOKS = '/api/webhooks';
const ADMIN_WEBHOOKS = '/api/admin/webhooks';
const URL = 'https://hooks.example.org/cloud?token=t0p';

interface Webhook {
  id: string;
  secret?: string;
  [field: string]: unknown;
}

describe('webhooks', () => {
  const suite = apiSuite();

  async function start(settings = {}) {
    const api = await suite.start({ settings });
    return { api, caller: suite.cloud.validCaller(newCaller()) };
  }

  const create = async (api: TestApi, caller: TestCaller, body: object = { url: URL }, path = WEBHOOKS) => {
    const answer = await api.post<Webhook>(path, { as: caller, body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };

  it('are created, with a secret that is shown once', async () => {
    const { api, caller } = await start();
    const created = await create(api, caller, { url: URL, events: ['job.failed'], description: 'Chat' });
    const { id, secret = '', created_at: createdAt, ...rest } = created;

    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(rest, {
      project_id: caller.projectId,
      project_name: caller.projectName,
      url: URL,
      events: ['job.failed'],
      description: 'Chat',
      enabled: true,
      disabled_reason: null,
      user_id: caller.userId,
      user_name: caller.userName,
      updated_at: createdAt,
    });
    const one = await api.get<Webhook>(`${WEBHOOKS}/${id}`, { as: caller });
    assert.deepEqual(one.body, { id, created_at: createdAt, ...rest });
    assert.deepEqual((await api.get(WEBHOOKS, { as: caller })).body, [one.body]);
  });

  it('have their secret sealed in the store, and nowhere in the log', async () => {
    const { api, caller } = await start();
    const { secret = '' } = await create(api, caller);

    assert.ok(!(await everythingIn(api.context.redis.store, api.keyPrefix)).includes(secret.slice(6)));
    assert.doesNotMatch(api.log.text(), /whsec_|t0p/);
  });

  it('are seen and changed by members of their project only', async () => {
    const { api, caller } = await start();
    const { id } = await create(api, caller);
    const other = suite.cloud.validCaller(inOtherProject(caller));
    const path = `${WEBHOOKS}/${id}`;

    assert.deepEqual((await api.get(WEBHOOKS, { as: other })).body, []);
    for (const [method, at, body] of [
      ['GET', path],
      ['PATCH', path, { enabled: false }],
      ['DELETE', path],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
    ] as const) {
      assert.equal((await api.request(method, at, { as: other, body })).status, 404, `${method} ${at}`);
    }
    assert.equal((await api.get(path, { as: caller })).status, 200);
  });

  it('are not created, changed, tried or deleted by readers', async () => {
    const { api, caller } = await start();
    const { id } = await create(api, caller);
    const reader = suite.cloud.validCaller(newCaller({ projectId: caller.projectId, roles: ['reader'] }));

    for (const [method, path, body] of [
      ['POST', WEBHOOKS, { url: URL }],
      ['PATCH', `${WEBHOOKS}/${id}`, { enabled: false }],
      ['POST', `${WEBHOOKS}/${id}/test`],
      ['DELETE', `${WEBHOOKS}/${id}`],
    ] as const) {
      assert.equal((await api.request(method, path, { as: reader, body })).status, 403, `${method} ${path}`);
    }
  });

  for (const [body, field] of [
    [{}, 'body.url'],
    [{ url: 'hooks.example.org' }, 'body.url'],
    [{ url: 'http://hooks.example.org/' }, 'body.url'],
    [{ url: 'https://user:secret@hooks.example.org/' }, 'body.url'],
    [{ url: 'https://127.0.0.1/' }, 'body.url'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'body.url'],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, 'body.url'],
    [{ url: 'https://0x7f000001/' }, 'body.url'],
    [{ url: URL, events: ['job.unknown'] }, 'body.events.0'],
    [{ url: URL, events: ['webhook.test'] }, 'body.events.0'],
  ] as const) {
    it(`are 400 with ${JSON.stringify(body)}`, async () => {
      const { api, caller } = await start();

      const answer = await api.post<ErrorBody>(WEBHOOKS, { as: caller, body });

      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field]);
    });
  }

  it('may have a URL in a network that the site allows', async () => {
    const webhooks = { allowed_networks: ['10.20.0.0/24'], allow_http: true };
    const { api, caller } = await start({ webhooks });

    await create(api, caller, { url: 'http://10.20.0.7:8080/' });

    const answer = await api.post(WEBHOOKS, { as: caller, body: { url: 'http://10.20.1.7/' } });
    assert.equal(answer.status, 400);
  });

  it('are changed, and their URL is checked again', async () => {
    const { api, caller } = await start();
    const { id, secret: _secret, ...created } = await create(api, caller);
    const path = `${WEBHOOKS}/${id}`;

    const refused = await api.request('PATCH', path, { as: caller, body: { url: 'https://10.0.0.1/' } });
    assert.equal(refused.status, 400);
    api.clock.advance(5);
    const changed = await api.request<Webhook>('PATCH', path, {
      as: caller,
      body: { events: ['job.held'], enabled: false },
    });

    const { updated_at: updatedAt, ...rest } = changed.body;
    assert.notEqual(updatedAt, created.updated_at);
    const { updated_at: _before, ...before } = created;
    assert.deepEqual(rest, { id, ...before, events: ['job.held'], enabled: false });
  });

  it('keep what a change does not mention', async () => {
    const { api, caller } = await start();
    const { id, secret: _secret, ...created } = await create(api, caller, { url: URL, events: ['job.held'] });
    const patch = (body: object) =>
      api.request<Webhook>('PATCH', `${WEBHOOKS}/${id}`, { as: caller, body }).then((answer) => answer.body);
    api.clock.advance(5);

    assert.deepEqual(await patch({}), { id, ...created });
    const { updated_at: updatedAt, ...changed } = await patch({ description: 'Chat' });

    const { updated_at: before, ...rest } = created;
    assert.notEqual(updatedAt, before);
    assert.deepEqual(changed, { id, ...rest, description: 'Chat' });
  });

  it('are not tried while they are disabled', async () => {
    const { api, caller } = await start();
    const { id } = await create(api, caller);
    const path = `${WEBHOOKS}/${id}`;
    await api.request('PATCH', path, { as: caller, body: { enabled: false } });

    const answer = await api.post<ErrorBody>(`${path}/test`, { as: caller });

    assert.deepEqual([answer.status, answer.body.reason], [409, 'wrong_state']);
    assert.deepEqual((await api.get(`${path}/deliveries`, { as: caller })).body, []);
  });

  it('are at most five in a project', async () => {
    const { api, caller } = await start();
    for (let n = 0; n < 5; n++) await create(api, caller);

    const answer = await api.post<ErrorBody>(WEBHOOKS, { as: caller, body: { url: URL } });

    assert.deepEqual([answer.status, answer.body.code], [409, 'quota_exceeded']);
  });

  it('are tried with a message that waits among the deliveries', async () => {
    const { api, caller } = await start();
    const { id } = await create(api, caller, { url: URL, events: ['job.held'] });

    const sent = await api.post<{ id: string }>(`${WEBHOOKS}/${id}/test`, { as: caller });

    assert.equal(sent.status, 202);
    const { created_at: createdAt } = sent.body as unknown as { created_at: string };
    assert.deepEqual(sent.body, {
      id: sent.body.id,
      type: 'webhook.test',
      state: 'pending',
      attempts: 0,
      response_status: null,
      error: null,
      created_at: createdAt,
      last_attempt_at: null,
      next_attempt_at: createdAt,
    });
    const deliveries = await api.get(`${WEBHOOKS}/${id}/deliveries`, { as: caller });
    assert.deepEqual(deliveries.body, [sent.body]);
  });

  it('are tried ten times a minute by all members of a project', async () => {
    const { api, caller } = await start();
    const { id } = await create(api, caller);
    const member = suite.cloud.validCaller(newCaller({ projectId: caller.projectId, userId: 'member' }));
    const other = suite.cloud.validCaller(inOtherProject(caller));
    const { id: idOfOther } = await create(api, other);
    const test = async (as: TestCaller, webhook: string) =>
      (await api.post<ErrorBody>(`${WEBHOOKS}/${webhook}/test`, { as })).status;

    for (let n = 0; n < 5; n++)
      assert.deepEqual([await test(caller, id), await test(member, id)], [202, 202]);

    assert.deepEqual([await test(caller, id), await test(member, id)], [429, 429]);
    assert.equal(await test(other, idOfOther), 202);
  });

  it('are deleted with their deliveries', async () => {
    const { api, caller } = await start();
    const { id } = await create(api, caller);
    await api.post(`${WEBHOOKS}/${id}/test`, { as: caller });

    const answer = await api.request('DELETE', `${WEBHOOKS}/${id}`, { as: caller });

    assert.equal(answer.status, 204);
    assert.equal((await api.get(`${WEBHOOKS}/${id}`, { as: caller })).status, 404);
    assert.ok(!(await everythingIn(api.context.redis.store, api.keyPrefix)).includes(`:${id}`));
  });

  it('have the name of who has created them, for administrators', async () => {
    const { api, caller } = await start();
    const inProject = { projectId: caller.projectId };
    const member = suite.cloud.validCaller(newCaller({ ...inProject, userId: 'u2', userName: 'two' }));
    const admin = suite.cloud.validCaller(newCaller({ ...inProject, userId: 'u3', roles: ['admin'] }));
    for (const by of [caller, member, member]) await create(api, by);
    const user = fixtureBody<object>('identity/user-create', 'user');
    suite.cloud.reply('identity/users', { body: { users: [{ ...user, id: 'u2', name: 'second' }] } });
    const namesFor = async (as: TestCaller) =>
      (await api.get<Webhook[]>(WEBHOOKS, { as })).body.map(({ user_name: name }) => name);

    assert.deepEqual(await namesFor(member), [null, 'two', 'two']);
    assert.deepEqual(await namesFor(admin), [null, 'second', 'second']);
    assert.deepEqual(await namesFor(admin), [null, 'second', 'second'], 'from the cache');
  });

  it('have no names of others while the identity service is unavailable', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: 'u1' }));
    const other = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: 'u2' }));
    await create(api, other, { url: URL }, ADMIN_WEBHOOKS);
    suite.cloud.reply('identity/users', { status: 503, body: '', times: 3 });

    const { body, status } = await api.get<Webhook[]>(ADMIN_WEBHOOKS, { as: admin });

    assert.deepEqual([status, body[0]?.user_id, body[0]?.user_name], [200, 'u2', null]);
  });

  it('of the site are for administrators, apart from those of projects', async () => {
    const { api, caller } = await start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const own = await create(api, caller);

    assert.equal((await api.get(ADMIN_WEBHOOKS, { as: caller })).status, 403);
    const { id, project_id: projectId } = await create(api, admin, { url: URL }, ADMIN_WEBHOOKS);

    assert.equal(projectId, null);
    const listed = (await api.get<Webhook[]>(ADMIN_WEBHOOKS, { as: admin })).body;
    assert.deepEqual(
      listed.map((one) => one.id),
      [id],
    );
    assert.equal((await api.get(`${ADMIN_WEBHOOKS}/${own.id}`, { as: admin })).status, 404);
    assert.equal((await api.get(`${WEBHOOKS}/${id}`, { as: admin })).status, 404);
    assert.equal((await api.get(`${ADMIN_WEBHOOKS}/${newId()}`, { as: admin })).status, 404);
  });
});
