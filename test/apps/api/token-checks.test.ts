import assert from 'node:assert/strict';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const body = { username: 'demo', password: 'demo-secret' };
const statusesOf = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))];

describe('a token', () => {
  const suite = apiSuite();

  function askAtOnce(api: TestApi, as: TestCaller, projectId = as.projectId) {
    return Promise.all(Array.from({ length: 100 }, () => api.get('/api/auth/me', { as, projectId })));
  }

  it('is validated once for concurrent requests', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());

    const answers = await askAtOnce(api, caller);

    assert.deepEqual(statusesOf(answers), [200]);
    assert.deepEqual(suite.cloud.calls(), ['GET /v3/auth/tokens']);
  });

  it('is rescoped once for concurrent requests to another project', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const other = inOtherProject(caller);
    suite.cloud.rescopesToken(caller.token, other);

    const answers = await askAtOnce(api, caller, other.projectId);

    assert.deepEqual(statusesOf(answers), [200]);
    assert.equal(suite.cloud.calls().length, 2);
  });

  it('is refused to concurrent requests with one call', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.rejectsToken(caller.token);

    const answers = await askAtOnce(api, caller);

    assert.deepEqual(statusesOf(answers), [401]);
    assert.equal(suite.cloud.calls().length, 1);
  });

  it('is validated again if its user was invalidated during the validation', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, {
      requestBody: () => {
        void api.context.authenticator.invalidateUsers([caller.userId]);
        return true;
      },
    });
    const before = await api.get('/api/auth/me', { as: caller });
    suite.cloud.rejectsToken(caller.token);

    const after = await api.get('/api/auth/me', { as: caller });

    assert.deepEqual([before.status, after.status], [200, 401]);
  });

  it('of a user whose id has blanks is invalidated in all processes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const [one, another] = [newCaller({ userId: 'Jane Doe' }), newCaller({ userId: 'John Q. Public' })];
    for (const caller of [one, another]) {
      suite.cloud.acceptsToken(caller).rejectsToken(caller.token);
      const answers = [];
      for (const process of [api, other]) answers.push(await process.get('/api/auth/me', { as: caller }));
      assert.deepEqual(statusesOf(answers), [200]);
    }

    await api.context.authenticator.invalidateUsers([one.userId, another.userId]);

    for (const caller of [one, another]) {
      await eventually(async () => {
        const { status } = await other.get('/api/auth/me', { as: caller });
        return status === 401;
      });
    }
  });

  it('is not validated after a log-in, in any process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller);
    await api.post('/api/auth/login', { body });

    const answers = [];
    for (const process of [api, other]) {
      answers.push(await process.get('/api/auth/me', { as: caller }));
      answers.push(await process.get('/api/auth/me', { as: caller, projectId: null }));
    }

    assert.deepEqual(statusesOf(answers), [200]);
    assert.equal(suite.cloud.calls().length, 1);
  });

  it('is not validated after a switch of the project', async () => {
    const api = await suite.start();
    const caller = newCaller();
    const other = inOtherProject(caller);
    suite.cloud.acceptsLogIn(caller).rescopesToken(caller.token, other);
    await api.post('/api/auth/login', { body });
    await api.post('/api/auth/token', { as: caller, body: { project_id: other.projectId } });

    const answer = await api.get('/api/auth/me', { as: other });

    assert.equal(answer.status, 200);
    assert.equal(suite.cloud.calls().length, 2);
  });
});

describe('access that the identity service revokes', () => {
  const suite = apiSuite();
  /** A large step needs few requests, so that little real time passes on a busy machine. */
  const STEP_SECONDS = 10;
  const BOUND = 30;
  const settings = { session: { token_cache_seconds: BOUND } };

  /** The seconds until the caller is refused, with the clock advanced step by step. */
  async function servedFor(api: TestApi, path: string, as: TestCaller, projectId: string): Promise<number> {
    for (let seconds = 0; ; seconds += STEP_SECONDS) {
      const { status } = await api.get(path, { as, projectId });
      if (status !== 200) return seconds;
      api.clock.advance(STEP_SECONDS);
    }
  }

  /** A list that is cached, and an endpoint that only the caches of tokens serve. */
  for (const path of ['/api/flavors', '/api/auth/me']) {
    it(`ends within the configured time: a revoked token at ${path}`, async () => {
      const api = await suite.start({ settings });
      const caller = suite.cloud.validCaller(newCaller());
      if (path === '/api/flavors') suite.cloud.reply('compute/flavors');
      await api.get(path, { as: caller });
      suite.cloud.rejectsToken(caller.token);

      assert.equal(await servedFor(api, path, caller, caller.projectId), BOUND);
    });

    it(`ends within the configured time: a lost role at ${path}`, async () => {
      const api = await suite.start({ settings });
      const caller = newCaller();
      const other = inOtherProject(caller);
      suite.cloud.acceptsToken(caller).rescopesToken(caller.token, other);
      if (path === '/api/flavors') suite.cloud.reply('compute/flavors');
      await api.get(path, { as: caller, projectId: other.projectId });
      suite.cloud.acceptsToken(caller).deniesProject(caller.token, other.projectId);

      assert.equal(await servedFor(api, path, caller, other.projectId), BOUND);
    });

    it(`does not last longer through a second process at ${path}`, async () => {
      const api = await suite.start({ settings });
      const second = await suite.start({ settings, keyPrefix: api.keyPrefix, clock: api.clock });
      const caller = suite.cloud.validCaller(newCaller());
      if (path === '/api/flavors') suite.cloud.reply('compute/flavors');
      await api.get(path, { as: caller });
      api.clock.advance(BOUND - STEP_SECONDS);
      assert.equal((await second.get(path, { as: caller })).status, 200);
      suite.cloud.rejectsToken(caller.token);

      assert.equal(await servedFor(second, path, caller, caller.projectId), STEP_SECONDS);
    });
  }

  it('ends within the configured time from the log-in', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 10 } } });
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller).rejectsToken(caller.token);
    await api.post('/api/auth/login', { body });

    assert.equal(await servedFor(api, '/api/auth/me', caller, caller.projectId), 10);
  });

  it('ends within the configured time after the request, however slow its response', async () => {
    const api = await suite.start({ settings });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller, {
      requestBody: () => {
        api.clock.advance(BOUND - STEP_SECONDS);
        return true;
      },
    });
    await api.get('/api/auth/me', { as: caller });
    suite.cloud.rejectsToken(caller.token);

    assert.equal(await servedFor(api, '/api/auth/me', caller, caller.projectId), STEP_SECONDS);
  });
});
