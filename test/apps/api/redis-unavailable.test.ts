import assert from 'node:assert/strict';
import { ProgressLog, readJob } from '@gateway/jobs';
import { dropLists } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, instanceRequest, newCaller, newTokenText } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { TOKEN_CACHE_SECONDS } from '../../support/api/settings.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

/** Claims the job like a worker; undefined while Redis is unavailable. */
async function claimed({ context }: TestApi, jobId: string): Promise<ProgressLog | undefined> {
  const redis = context.redis.store;
  const record = await readJob(redis, jobId);
  const log = record === null ? 'gone' : await ProgressLog.claim(record, { redis, keepSeconds: 60 });
  return log instanceof ProgressLog ? log : undefined;
}

/** The maximum time for the api to detect that Redis does not respond, in ms. */
const QUICKLY_MS = 5_000;

describe('while Redis is unavailable', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const redis = killableRedis();

  /** An api that has lost its Redis. */
  async function startAndLose(settings = {}): Promise<TestApi> {
    const api = await suite.start({ redisUrl: redis.url, settings });
    await redis.killAndWait(api);
    return api;
  }

  it("lists are read from the cloud, once for a process's readers", async () => {
    const api = await startAndLose({ cache: { transition_seconds: 3600 } });
    const [caller, colleague] = [newCaller(), newCaller({ token: newTokenText(), userId: 'colleague' })];
    suite.cloud.acceptsToken(caller).acceptsToken(colleague).reply('image/images', { times: 2 });

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, reader) =>
        api.get<unknown[]>('/api/images', { as: reader % 2 === 0 ? caller : colleague }),
      ),
    );
    const later = await api.get('/api/images', { as: caller });
    const fresh = await api.get('/api/images?refresh=true', { as: caller });

    for (const answer of [...answers, later, fresh]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.text, answers[0]?.text);
      assert.equal(answer.headers.etag, answers[0]?.headers.etag);
    }
    assert.ok((answers[0]?.body.length ?? 0) > 0);
  });

  it('a write is seen by all later readers of the process', async () => {
    const api = await startAndLose({ cache: { transition_seconds: 3600 } });
    const caller = suite.cloud.validCaller(newCaller());
    const read = () => api.get<unknown[]>('/api/flavors', { as: caller });
    suite.cloud.reply('compute/flavors');
    const before = await read();
    suite.cloud.reply('compute/flavors', { body: { flavors: [] } });

    await dropLists(api.context.cache, caller.projectId, ['flavor']);

    assert.ok(before.body.length > 0);
    assert.deepEqual((await read()).body, []);
  });

  it('a token is validated once per cache lifetime', async () => {
    const api = await startAndLose();
    const caller = suite.cloud.validCaller(newCaller());
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await api.get('/api/auth/me', { as: caller })).status);
    }
    api.clock.advance(TOKEN_CACHE_SECONDS + 1);
    suite.cloud.rejectsToken(caller.token);
    statuses.push((await api.get('/api/auth/me', { as: caller })).status);

    assert.deepEqual(statuses, [200, 200, 200, 401]);
  });

  it('a token from before the outage stays valid for its cache lifetime', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/auth/me', { as: caller });
    await redis.killAndWait(api);
    const during = await api.get('/api/auth/me', { as: caller });
    await redis.restart();
    await eventually(async () => api.context.redis.store.status === 'ready');
    suite.cloud.acceptsToken(caller, { optional: true });
    const after = await api.get('/api/auth/session-info', { as: caller });

    assert.deepEqual([during.status, after.status], [200, 200]);
  });

  it('a change of access applies at once in its process', async () => {
    const api = await startAndLose();
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/auth/me', { as: caller });
    await api.context.authenticator.invalidateUsers([caller.userId]).catch(() => {});
    suite.cloud.rejectsToken(caller.token);

    assert.equal((await api.get('/api/auth/me', { as: caller })).status, 401);
  });

  it('a log-out counts at once in the process that has made it', async () => {
    const api = await startAndLose();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.revokesToken(caller.token);
    const loggedOut = await api.post('/api/auth/logout', { as: caller });
    suite.cloud.rejectsToken(caller.token);

    assert.equal(loggedOut.status, 204);
    assert.equal((await api.get('/api/auth/me', { as: caller })).status, 401);
  });

  it('no earlier valid token is refused, however many are invalid', async () => {
    const api = await startAndLose({ rate_limits: { refusals: 1 } });
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/auth/me', { as: caller });
    const unknown = newCaller({ token: newTokenText() });
    suite.cloud.rejectsToken(unknown.token);
    await api.get('/api/auth/me', { as: unknown });
    api.clock.advance(TOKEN_CACHE_SECONDS + 1);
    suite.cloud.acceptsToken(caller);

    assert.equal((await api.get('/api/auth/me', { as: caller })).status, 200);
  });

  it('tokens are still validated', async () => {
    const api = await startAndLose();
    const unknown = newCaller();
    const caller = newCaller();
    const foreign = inOtherProject(caller);
    suite.cloud
      .rejectsToken(unknown.token)
      .acceptsToken(caller)
      .deniesProject(caller.token, foreign.projectId);

    const refused = await api.get('/api/images', { as: unknown });
    const elsewhere = await api.get('/api/images', { as: caller, projectId: foreign.projectId });

    assert.deepEqual([refused.status, elsewhere.status], [401, 403]);
  });

  it('users can log in and switch projects', async () => {
    const api = await startAndLose();
    const caller = newCaller();
    const other = inOtherProject(caller);
    suite.cloud.acceptsLogIn(caller).acceptsToken(caller).rescopesToken(caller.token, other);

    const login = await api.post('/api/auth/login', { body: { username: 'demo', password: 'demo-secret' } });
    const scope = await api.post('/api/auth/token', { as: caller, body: { project_id: other.projectId } });

    assert.deepEqual([login.status, scope.status], [200, 200]);
  });

  it('sessions are 503', async () => {
    const api = await startAndLose();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);

    const info = await api.get<ErrorBody>('/api/auth/session-info', { as: caller });
    const extended = await api.post<ErrorBody>('/api/auth/extend-session', { as: caller });

    for (const answer of [info, extended]) {
      assert.equal(answer.status, 503);
      assert.equal(answer.body.code, 'store_unavailable');
    }
  });

  it('a creation is a 503 before its stream, and creates nothing', async () => {
    const api = await startAndLose();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);
    const started = performance.now();

    const sync = await api.post<ErrorBody>('/api/instances', { as: caller, body: instanceRequest() });
    const stream = await api.post<ErrorBody>('/api/instances/async', {
      as: caller,
      body: instanceRequest(),
    });

    for (const answer of [sync, stream]) {
      assert.equal(answer.status, 503);
      assert.equal(answer.body.code, 'store_unavailable');
    }
    assert.ok(performance.now() - started < QUICKLY_MS);
    assert.deepEqual(suite.cloud.calls(), ['GET /v3/auth/tokens']);
  });

  it('jobs are 503', async () => {
    const api = await startAndLose();
    const caller = newCaller();
    suite.cloud.acceptsToken(caller);

    const job = await api.get<ErrorBody>('/api/jobs/00000000-0000-4000-8000-000000000000', { as: caller });
    const events = await api.get<ErrorBody>('/api/jobs/00000000-0000-4000-8000-000000000000/events', {
      as: caller,
    });

    assert.deepEqual([job.status, events.status], [503, 503]);
    assert.equal(job.body.code, 'store_unavailable');
  });

  it('health is degraded, and the process is ready', async () => {
    const api = await startAndLose();
    suite.cloud.reply('identity/token-validate', { path: '/v3', body: { version: {} } });

    const health = await api.get<{ status: string; redis: string }>('/api/health');
    const ready = await api.get('/api/health?ready=true');
    const deep = await api.get<{ redis: string; identity: string }>('/api/health?deep=true');

    assert.deepEqual(
      [health.status, health.body.status, health.body.redis],
      [200, 'degraded', 'unavailable'],
    );
    assert.equal(ready.status, 200);
    assert.deepEqual([deep.status, deep.body.redis, deep.body.identity], [200, 'unavailable', 'ok']);
  });

  it('metrics are still served', async () => {
    const api = await startAndLose();

    const answer = await api.get('/api/metrics');

    assert.equal(answer.status, 200);
    assert.match(answer.text, /^gateway_open_streams 0$/m);
    assert.match(answer.text, /^gateway_redis_up\{connection="store"\} 0$/m);
  });

  it('rate limits apply per process', async () => {
    const api = await startAndLose({ rate_limits: { login: 2 } });
    const body = { username: 'demo' };

    const statuses = [];
    for (let tried = 0; tried < 3; tried += 1) {
      statuses.push((await api.post('/api/auth/login', { body })).status);
    }

    assert.deepEqual(statuses, [400, 400, 429]);
  });

  it('a Redis that hangs counts as unavailable', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    const caller = newCaller();
    suite.cloud.acceptsToken(caller).reply('image/images');
    await redis.kill('SIGSTOP');
    try {
      const list = await api.get('/api/images', { as: caller });
      const creation = await api.post('/api/instances', { as: caller, body: instanceRequest() });

      assert.deepEqual([list.status, creation.status], [200, 503]);
    } finally {
      await redis.kill('SIGCONT');
    }
  });

  it('a process can start, and connects to Redis after the outage', async () => {
    await redis.kill('SIGKILL');
    const api = await suite.start({ redisUrl: redis.url });
    const before = await api.get<{ redis: string }>('/api/health');

    await redis.restart();
    const after = await eventually(async () => {
      const { body } = await api.get<{ redis: string }>('/api/health');
      return body.redis === 'ok' ? body : undefined;
    });

    assert.equal(before.body.redis, 'unavailable');
    assert.equal(after.redis, 'ok');
  });

  it('an open stream stays open, and continues when Redis is available again', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    const caller = suite.cloud.validCaller(newCaller());
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    const jobId = String(stream.headers.get('x-job-id'));

    await redis.kill('SIGKILL');
    await redis.restart();
    const log = await eventually(() => claimed(api, jobId));
    await log.end({ step: 'COMPLETED', progress: 100, message: 'Done.' }, { status: 'completed' });

    const events = await stream.rest();
    assert.deepEqual(
      events.map(({ id }) => id),
      ['1'],
    );
  });
});
