import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { expiryIn, inOtherProject, newCaller } from '../../support/api/factories.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const NEEDS_PROJECT = [
  ['GET', '/api/images'],
  ['GET', '/api/flavors'],
  ['GET', '/api/instances'],
  ['GET', '/api/instances/abc'],
  ['POST', '/api/instances'],
  ['POST', '/api/instances/async'],
  ['DELETE', '/api/instances/abc'],
  ['GET', '/api/keypairs'],
  ['POST', '/api/keypairs'],
  ['DELETE', '/api/keypairs/abc'],
  ['GET', '/api/history'],
  ['GET', '/api/jobs/abc'],
  ['GET', '/api/jobs/abc/events'],
  ['POST', '/api/jobs/abc/cancel'],
] as const;

const NEEDS_TOKEN = [
  ['GET', '/api/auth/me'],
  ['GET', '/api/auth/projects'],
  ['POST', '/api/auth/token'],
  ['POST', '/api/auth/logout'],
  ['GET', '/api/auth/session-info'],
  ['POST', '/api/auth/extend-session'],
  ['GET', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions'],
  ['GET', '/api/profile'],
  ['PUT', '/api/profile/password'],
] as const;

/** Changes of what the gateway itself stores: no service rejects them. */
const REFUSES_READERS = [
  ['POST', '/api/lite/clusters/async'],
  ['PATCH', '/api/lite/clusters/abc/scale'],
  ['POST', '/api/lite/clusters/abc/repair'],
  ['POST', '/api/lite/clusters/abc/credential'],
  ['DELETE', '/api/lite/clusters/abc'],
  ['POST', '/api/volumes/backups/auto-backup/abc'],
  ['DELETE', '/api/volumes/backups/auto-backup/abc'],
  ['POST', '/api/jobs/abc/cancel'],
] as const;

describe('access control', () => {
  const suite = apiSuite();

  describe('with a role that only reads', () => {
    it("is 403 for the gateway's own records without another role", async () => {
      const api = await suite.start();
      const reader = suite.cloud.validCaller(newCaller({ roles: ['reader'] }));
      const member = suite.cloud.validCaller(newCaller({ roles: ['reader', 'member'] }));

      for (const [method, path] of REFUSES_READERS) {
        const answer = await api.request<ErrorBody>(method, path, { as: reader });
        assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], `${method} ${path}`);
        const allowed = await api.request(method, path, { as: member, body: {} });
        assert.notEqual(allowed.status, 403, `${method} ${path}`);
      }
      assert.equal((await api.get('/api/lite/clusters', { as: reader })).status, 200);
    });
  });

  describe('without a token', () => {
    it('is 401 where a token is required', async () => {
      const api = await suite.start();

      for (const [method, path] of [...NEEDS_PROJECT, ...NEEDS_TOKEN]) {
        const answer = await api.request<ErrorBody>(method, path, { headers: { 'x-project-id': 'p' } });
        assert.equal(answer.status, 401, `${method} ${path}`);
        assert.equal(answer.body.code, 'unauthorized');
      }
    });

    it('serves site configuration, health, metrics and documentation', async () => {
      const api = await suite.start();

      for (const path of [
        '/api/site-config',
        '/api/health',
        '/api/metrics',
        '/api/openapi.json',
        '/api/docs/',
      ]) {
        assert.equal((await api.get(path)).status, 200, path);
      }
    });

    it('is 401 with an empty token', async () => {
      const api = await suite.start();

      const answer = await api.get('/api/auth/me', { headers: { 'x-auth-token': '' } });

      assert.equal(answer.status, 401);
    });
  });

  describe('with a token', () => {
    it('that the identity service rejects is 401', async () => {
      const api = await suite.start();
      const caller = newCaller();
      suite.cloud.rejectsToken(caller.token);

      const answer = await api.get<ErrorBody>('/api/instances', { as: caller });

      assert.equal(answer.status, 401);
      assert.equal(answer.body.code, 'unauthorized');
    });

    it('that has expired since its validation is 401', async () => {
      const api = await suite.start();
      const caller = newCaller({ expiresAt: expiryIn(30_000) });
      suite.cloud.acceptsToken(caller);
      const before = await api.get('/api/auth/me', { as: caller });

      api.clock.advance(31);
      suite.cloud.rejectsToken(caller.token);
      const after = await api.get('/api/auth/me', { as: caller });

      assert.equal(before.status, 200);
      assert.equal(after.status, 401);
    });

    it('but without a project is 400 where a project is required', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      for (const [method, path] of NEEDS_PROJECT) {
        const answer = await api.request<ErrorBody>(method, path, { as: caller, projectId: null });
        assert.equal(answer.status, 400, `${method} ${path}`);
        assert.deepEqual(answer.body.errors, [{ field: 'header.X-Project-Id', message: 'is required' }]);
      }
    });

    it('without a project uses its own project under /api/auth and /api/profile', async () => {
      const api = await suite.start();
      const caller = newCaller();
      suite.cloud.acceptsToken(caller).reply('identity/user').reply('identity/projects-mine');

      const me = await api.get<{ project_id: string }>('/api/auth/me', { as: caller, projectId: null });
      const projects = await api.get('/api/auth/projects', { as: caller, projectId: null });
      const profile = await api.get('/api/profile', { as: caller, projectId: null });

      assert.deepEqual([me.status, projects.status, profile.status], [200, 200, 200]);
      assert.equal(me.body.project_id, caller.projectId);
    });

    it('for another project uses a token for that project', async () => {
      const api = await suite.start();
      const caller = newCaller();
      const other = inOtherProject(caller, { roles: ['reader'] });
      suite.cloud
        .acceptsToken(caller)
        .rescopesToken(caller.token, other)
        .reply('compute/keypairs', { times: 2 });

      const asked = { as: caller, projectId: other.projectId };
      const first = await api.get('/api/keypairs', asked);
      const second = await api.get('/api/keypairs', asked);

      assert.deepEqual([first.status, second.status], [200, 200]);
      const tokens = suite.cloud.upstream.calls.slice(2).map(({ headers }) => headers['x-auth-token']);
      assert.deepEqual(tokens, [other.token, other.token]);
    });

    it('for another project has the roles of that project', async () => {
      const api = await suite.start();
      const caller = newCaller({ roles: ['admin', 'member'] });
      const other = inOtherProject(caller, { roles: ['reader'] });
      suite.cloud.acceptsToken(caller).rescopesToken(caller.token, other);

      const answer = await api.get<{ roles: string[] }>('/api/auth/me', {
        as: caller,
        projectId: other.projectId,
      });

      assert.deepEqual(answer.body.roles, ['reader']);
    });

    it('for a project without access is 403', async () => {
      const api = await suite.start();
      const caller = newCaller();
      const { projectId } = inOtherProject(caller);
      suite.cloud.acceptsToken(caller).deniesProject(caller.token, projectId);

      const answer = await api.get<ErrorBody>('/api/images', { as: caller, projectId });

      assert.equal(answer.status, 403);
      assert.equal(answer.body.code, 'forbidden');
    });

    for (const projectId of ['..', 'a/b', 'a b', 'p'.repeat(256)]) {
      it(`for a project named ${projectId.slice(0, 10)} is 400`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());

        const answer = await api.get<ErrorBody>('/api/keypairs', { as: caller, projectId });

        assert.equal(answer.status, 400);
        assert.deepEqual(answer.body.errors, [
          { field: 'header.X-Project-Id', message: 'must be a project id' },
        ]);
      });
    }
  });
});

describe('a cached token', () => {
  const suite = apiSuite();

  it('is validated once for all api processes', async () => {
    const api = await suite.start();
    const second = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());

    for (const process of [api, second, api, second]) {
      const answer = await process.get('/api/auth/me', { as: caller });
      assert.equal(answer.status, 200);
    }

    assert.deepEqual(suite.cloud.calls(), ['GET /v3/auth/tokens']);
  });

  it('expires within the configured time, and never later than the token', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 30 } } });
    const longLived = suite.cloud.validCaller(newCaller());
    const shortLived = suite.cloud.validCaller(newCaller({ expiresAt: expiryIn(20_000) }));

    await api.get('/api/auth/me', { as: longLived, projectId: null });
    const [longKey = ''] = await keysOf(api, 'validated:');
    const more = await api.context.redis.store.pttl(longKey);
    await api.context.redis.store.del(longKey);
    await api.get('/api/auth/me', { as: shortLived, projectId: null });
    const [shortKey = ''] = await keysOf(api, 'validated:');
    const less = await api.context.redis.store.pttl(shortKey);

    assert.ok(more > 20_000 && more <= 30_000, String(more));
    assert.ok(less > 10_000 && less <= 20_000, String(less));
  });

  it('is not stored if the cache is switched off', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 0 } } });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, { times: 2 });

    await api.get('/api/auth/me', { as: caller });
    await api.get('/api/auth/me', { as: caller });

    assert.equal(suite.cloud.calls().length, 2);
  });

  it('is not accepted for another project', async () => {
    const api = await suite.start();
    const caller = newCaller();
    const { projectId } = inOtherProject(caller);
    // A second call, because the service refuses an ended token and a project without access in the same way.
    suite.cloud.acceptsToken(caller, { times: 2 }).deniesProject(caller.token, projectId);

    const own = await api.get('/api/auth/me', { as: caller });
    const foreign = await api.get('/api/auth/me', { as: caller, projectId });

    assert.deepEqual([own.status, foreign.status], [200, 403]);
  });

  it('is not accepted for another project after its revocation', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const { projectId } = inOtherProject(caller);
    await api.get('/api/auth/me', { as: caller });
    suite.cloud.deniesProject(caller.token, projectId).rejectsToken(caller.token);

    const answer = await api.get('/api/auth/me', { as: caller, projectId });

    assert.equal(answer.status, 401);
  });

  it('is not stored in clear', async () => {
    const api = await suite.start();
    const caller = newCaller();
    const other = inOtherProject(caller);
    suite.cloud.acceptsToken(caller).rescopesToken(caller.token, other).acceptsLogIn(newCaller());
    suite.cloud.rescopesToken(caller.token, inOtherProject(caller, { projectId: 'switched' }));

    await api.get('/api/auth/me', { as: caller, projectId: other.projectId });
    await api.post('/api/auth/login', { body: { username: 'demo', password: 'hunter2hunter2' } });
    await api.post('/api/auth/token', { as: caller, body: { project_id: 'switched' } });

    const texts = await allStoredData(api);
    assert.ok(texts.length > 5);
    for (const text of texts) assert.doesNotMatch(text, /gAAAAA|hunter2/);
  });
});

/** The keys of this api with this prefix, without the prefix of the api. */
async function keysOf(api: TestApi, beginning: string): Promise<string[]> {
  const keys = await api.context.redis.store.keys(`${api.keyPrefix}${beginning}*`);
  return keys.map((key) => key.slice(api.keyPrefix.length));
}
