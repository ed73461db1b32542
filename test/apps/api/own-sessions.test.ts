import assert from 'node:assert/strict';
import { formatStored, storedForms } from '@gateway/core';
import type { ErrorBody } from '../../support/api/client.ts';
import {
  expiryIn,
  inOtherProject,
  newCaller,
  type TestCaller,
  tokenBody,
} from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

interface OwnSession {
  id: string;
  started_at: string;
  last_seen_at: string;
  expires_at: string;
  address: string;
  client: string;
  is_current: boolean;
}

const MINUTE = 60;
const HOUR = 3600;
const SESSIONS = '/api/auth/sessions';

describe('the sessions of a user', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const start = (options: Parameters<typeof suite.start>[0] = {}) =>
    suite.start({ settings: { session: { token_cache_seconds: 600 } }, ...options });

  async function logIn(
    api: TestApi,
    { client = 'laptop', ...further }: Partial<TestCaller> & { client?: string } = {},
  ) {
    const caller = newCaller({ expiresAt: expiryIn(8 * HOUR * 1000), ...further });
    suite.cloud.acceptsLogIn(caller);
    const body = { username: 'demo', password: 'demo-secret' };
    const headers = { 'user-agent': client };
    assert.equal((await api.post('/api/auth/login', { body, headers })).status, 200);
    return caller;
  }

  async function list(api: TestApi, as: TestCaller): Promise<OwnSession[]> {
    const { body, status } = await api.get<OwnSession[]>(SESSIONS, {
      as,
      headers: { 'user-agent': 'laptop' },
    });
    assert.equal(status, 200);
    return body;
  }

  async function idOf(api: TestApi, as: TestCaller): Promise<string> {
    return (await list(api, as)).find(({ is_current }) => is_current)?.id ?? '';
  }

  function end(api: TestApi, as: TestCaller, id?: string) {
    return api.request<ErrorBody>('DELETE', id === undefined ? SESSIONS : `${SESSIONS}/${id}`, { as });
  }

  async function assertEnded(api: TestApi, as: TestCaller): Promise<void> {
    const answer = await api.get<ErrorBody>('/api/auth/me', { as });
    assert.deepEqual([answer.status, answer.body.code], [401, 'session_expired']);
  }

  const statusOf = async (api: TestApi, as: TestCaller) => (await api.get('/api/auth/me', { as })).status;

  it('are listed with times, address and client', async () => {
    const api = await start();
    await logIn(api, { client: 'phone' });
    api.clock.advance(10 * MINUTE);
    const laptop = await logIn(api);
    await logIn(api, { userId: 'somebody-else' });

    const [current, other, ...rest] = await list(api, laptop);

    assert.deepEqual(rest, []);
    assert.deepEqual([current?.client, current?.is_current], ['laptop', true]);
    assert.deepEqual([other?.client, other?.is_current], ['phone', false]);
    assert.match(current?.address ?? '', /127\.0\.0\.1$/);
    const seconds = (from = '', to = '') => (Date.parse(to) - Date.parse(from)) / 1000;
    assertAbout(seconds(other?.started_at, current?.started_at), 10 * MINUTE);
    assertAbout(seconds(current?.started_at, current?.expires_at), HOUR);
    assert.doesNotMatch(JSON.stringify([current, other]), /gAAAAA/);
  });

  it('show their last request to a minute, in all processes', async () => {
    const settings = { session: { token_cache_seconds: 0 } };
    const api = await start({ settings });
    const other = await start({ settings, keyPrefix: api.keyPrefix, clock: api.clock });
    const caller = await logIn(api);
    const seen = async () => {
      suite.cloud.acceptsToken(caller);
      return (await list(api, caller))[0]?.last_seen_at ?? '';
    };
    const use = async (process: TestApi, client: string) => {
      suite.cloud.acceptsToken(caller);
      await process.get('/api/auth/me', { as: caller, headers: { 'user-agent': client } });
    };
    const before = await seen();
    api.clock.advance(MINUTE / 2);
    await use(other, 'phone');
    const meanwhile = await seen();

    api.clock.advance(MINUTE);
    await use(other, 'x'.repeat(1000));

    const after = await eventually(async () => {
      const at = await seen();
      return at === before ? undefined : at;
    });
    assert.equal(meanwhile, before);
    assertAbout((Date.parse(after) - Date.parse(before)) / 1000, 1.5 * MINUTE);
    suite.cloud.acceptsToken(caller);
    assert.equal((await list(api, caller))[0]?.client, 'x'.repeat(256));
  });

  it('cost no call to the store with a cached token', async () => {
    const api = await start();
    const caller = await logIn(api);
    await list(api, caller);
    const commands: string[] = [];
    const store = api.context.redis.store as unknown as { sendCommand(command: { name: string }): unknown };
    const send = store.sendCommand.bind(store);
    store.sendCommand = (command) => {
      commands.push(command.name);
      return send(command);
    };

    for (let count = 0; count < 3; count += 1) assert.equal(await statusOf(api, caller), 200);

    assert.deepEqual(commands, []);
  });

  it('include no token that was issued elsewhere', async () => {
    const api = await start();
    const laptop = await logIn(api);
    const elsewhere = suite.cloud.validCaller(newCaller());

    const listed = await list(api, elsewhere);

    assert.deepEqual(
      listed.map(({ is_current }) => is_current),
      [false],
    );
    suite.cloud.revokesToken(laptop.token);
    assert.equal((await end(api, elsewhere)).status, 204);
    await assertEnded(api, laptop);
    suite.cloud.acceptsToken(elsewhere);
    assert.equal(await statusOf(api, elsewhere), 200);
  });

  it('end from elsewhere, with all their tokens, in every process', async () => {
    const api = await start();
    const other = await start({ keyPrefix: api.keyPrefix });
    const lost = await logIn(api);
    const switched = inOtherProject(lost);
    suite.cloud.rescopesToken(lost.token, switched);
    await api.post('/api/auth/token', { as: lost, body: { project_id: switched.projectId } });
    const laptop = await logIn(api);
    for (const process of [api, other]) assert.equal(await statusOf(process, lost), 200);
    suite.cloud.revokesToken(lost.token).revokesToken(switched.token);

    const answer = await end(api, laptop, await idOf(other, lost));

    assert.deepEqual([answer.status, answer.text], [204, '']);
    await assertEnded(api, lost);
    await assertEnded(api, switched);
    await eventually(async () => (await statusOf(other, lost)) === 401);
    suite.cloud.acceptsToken(laptop);
    assert.deepEqual(
      (await list(api, laptop)).map(({ is_current }) => is_current),
      [true],
    );
    assert.equal(await statusOf(other, laptop), 200);
  });

  it('end all but the current one', async () => {
    const api = await start();
    const others = [await logIn(api), await logIn(api)];
    const laptop = await logIn(api);
    const stranger = await logIn(api, { userId: 'somebody-else' });
    for (const { token } of others) suite.cloud.revokesToken(token);

    assert.equal((await end(api, laptop)).status, 204);

    for (const other of others) await assertEnded(api, other);
    suite.cloud.acceptsToken(laptop);
    assert.equal(await statusOf(api, laptop), 200);
    assert.equal(await statusOf(api, stranger), 200);
  });

  it('include the current one, whose end is a log-out', async () => {
    const api = await start();
    const caller = await logIn(api);
    const other = await logIn(api);
    suite.cloud.revokesToken(caller.token);

    assert.equal((await end(api, caller, await idOf(api, caller))).status, 204);

    await assertEnded(api, caller);
    suite.cloud.acceptsToken(other);
    assert.equal((await list(api, other)).length, 1);
  });

  it('are 404 for another user', async () => {
    const api = await start();
    const caller = await logIn(api);
    const stranger = await logIn(api, { userId: 'somebody-else' });

    for (const id of [await idOf(api, caller), '0'.repeat(64)]) {
      const { body, status } = await end(api, stranger, id);
      assert.deepEqual([status, body.code], [404, 'not_found']);
    }
    assert.equal(await statusOf(api, caller), 200);
  });

  it('end at once without the identity service, and again with it', async () => {
    const api = await start();
    const lost = await logIn(api);
    const laptop = await logIn(api);
    const id = await idOf(api, lost);
    suite.cloud.revokesToken(lost.token, { fault: 'ECONNREFUSED', times: 3 });

    const refused = await end(api, laptop, id);

    assert.equal(refused.status, 503);
    await assertEnded(api, lost);
    suite.cloud.revokesToken(lost.token).acceptsToken(laptop, { times: 2 });
    assert.equal((await end(api, laptop, id)).status, 204);
    assert.equal((await end(api, laptop, id)).status, 404);
  });

  it('disappear after a log-out, their time, and a new password', async () => {
    const api = await start();
    const loggedOut = await logIn(api);
    suite.cloud.revokesToken(loggedOut.token);
    await api.post('/api/auth/logout', { as: loggedOut });
    await logIn(api);
    api.clock.advance(HOUR + 1);
    const laptop = await logIn(api);
    assert.equal((await list(api, laptop)).length, 1);

    suite.cloud.reply('identity/password-wrong', { status: 204, body: '' });
    const passwords = { current_password: 'demo-secret', new_password: 'another-secret' };
    const changed = await api.request('PUT', '/api/profile/password', { as: laptop, body: passwords });
    assert.equal(changed.status, 200);
    const anew = await logIn(api);

    assert.deepEqual(
      (await list(api, anew)).map(({ is_current }) => is_current),
      [true],
    );
  });

  it('are not for application credentials and trusts', async () => {
    const api = await start();
    await logIn(api);

    for (const kind of ['application_credential', 'OS-TRUST:trust']) {
      const program = newCaller();
      const { token } = tokenBody(program) as { token: object };
      suite.cloud.acceptsToken(program, { body: { token: { ...token, [kind]: {} } } });
      for (const method of ['GET', 'DELETE']) {
        const answer = await api.request<ErrorBody>(method, SESSIONS, { as: program });
        assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], kind);
      }
    }
  });

  /** Fills the user's list with sessions of the credential, or of the person for null. */
  async function fill(api: TestApi, userId: string, credentialId: string | null, count: number) {
    const { clock, redis } = api.context;
    const now = clock.now();
    const until = now + HOUR * 1000;
    const entry = { startedAt: now, seenAt: now, until, credentialId, address: '', client: '' };
    const ids = Array.from({ length: count }, (_, index) => `session-of-${credentialId}-${index}`);
    await redis.store.hset(
      `sessions-of:${userId}`,
      Object.fromEntries(ids.map((id) => [id, formatStored(storedForms.listedSession, entry)])),
    );
  }

  it('are 500 at most: another log-in ends the least used one', async () => {
    const api = await start();
    const unused = await logIn(api);
    api.clock.advance(1);
    const used = await logIn(api);
    await fill(api, used.userId, null, 498);
    assert.equal(await statusOf(api, used), 200);

    const newest = await logIn(api);

    await assertEnded(api, unused);
    for (const caller of [used, newest]) assert.equal(await statusOf(api, caller), 200);
    assert.equal((await api.context.sessionList.of(used.userId)).length, 500);
  });

  it('of a person and of each credential leave each other alone', async () => {
    const api = await start();
    const person = await logIn(api);
    api.clock.advance(1);
    await fill(api, person.userId, 'credential-1', 500);
    await fill(api, person.userId, 'credential-2', 500);

    const program = newCaller({ expiresAt: person.expiresAt });
    const { token } = tokenBody(program) as { token: object };
    const application_credential = { id: 'credential-1', name: 'ci', restricted: true };
    suite.cloud.acceptsLogIn(program, { body: { token: { ...token, application_credential } } });
    const body = { application_credential: { id: 'credential-1', secret: 'demo-secret' } };
    assert.equal((await api.post('/api/auth/login', { body })).status, 200);

    assert.equal(await statusOf(api, person), 200);
    const listed = await api.context.sessionList.of(person.userId);
    const numberOf = (id: string | null) => listed.filter(({ credentialId }) => credentialId === id).length;
    assert.deepEqual([null, 'credential-1', 'credential-2'].map(numberOf), [1, 500, 500]);
  });
});

/** Tolerates the duration of the test, and rounding to whole seconds. */
function assertAbout(seconds: number, wanted: number): void {
  assert.ok(Math.abs(seconds - wanted) < 20, `${seconds} is not about ${wanted}`);
}
