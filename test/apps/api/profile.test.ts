import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

const passwords = { current_password: 'old-secret-1', new_password: 'new-secret-2' };

describe('GET /api/profile', () => {
  const suite = apiSuite();

  it("returns the caller's account, with null for missing values", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const user = fixtureBody<{ email?: string; domain_id: string; default_project_id?: string }>(
      'identity/user',
      'user',
    );
    suite.cloud.reply('identity/user');

    const answer = await api.get('/api/profile', { as: caller });

    assert.deepEqual(answer.body, {
      user_id: caller.userId,
      username: caller.userName,
      email: user.email ?? null,
      domain_id: user.domain_id,
      domain_name: 'Default',
      default_project_id: user.default_project_id ?? null,
      default_project_name: null,
      enabled: true,
      roles: caller.roles,
    });
  });
});

describe('PUT /api/profile/password', () => {
  const suite = apiSuite();
  const { path } = fixture('identity/password-wrong').request;

  it('changes the password', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('identity/password-wrong', {
      status: 204,
      body: '',
      requestBody: { user: { original_password: 'old-secret-1', password: 'new-secret-2' } },
    });

    const answer = await api.request('PUT', '/api/profile/password', { as: caller, body: passwords });

    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { message: 'The password has been changed.' });
    assert.ok(suite.cloud.calls().includes(`POST ${path}`));
  });

  it('invalidates the cached tokens of the user in every process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = newCaller();
    const elsewhere = newCaller();
    const bystander = newCaller({ userId: 'somebody-else' });
    suite.cloud.acceptsToken(caller).acceptsToken(elsewhere).acceptsToken(bystander);
    await other.get('/api/auth/me', { as: elsewhere });
    await other.get('/api/auth/me', { as: bystander });
    suite.cloud.reply('identity/password-wrong', { status: 204, body: '' });
    await api.request('PUT', '/api/profile/password', { as: caller, body: passwords });

    suite.cloud.rejectsToken(caller.token).rejectsToken(elsewhere.token);
    const own = await api.get('/api/auth/me', { as: caller });
    const second = await other.get('/api/auth/me', { as: elsewhere });
    const bystanders = await other.get('/api/auth/me', { as: bystander });

    assert.deepEqual([own.status, second.status, bystanders.status], [401, 401, 200]);
  });

  it('answers once tokens of a log-in are no longer revoked by it', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    let changedAt = Number.POSITIVE_INFINITY;
    const requestBody = () => {
      changedAt = Date.now();
      return true;
    };
    suite.cloud.reply('identity/password-wrong', { requestBody, status: 204, body: '' });

    await api.request('PUT', '/api/profile/password', { as: caller, body: passwords });

    // The times of tokens and of their revocation are whole seconds.
    const secondOf = (ms: number) => Math.floor(ms / 1000);
    assert.ok(secondOf(Date.now()) > secondOf(changedAt), 'a token would be of the same second');
  });

  it('is 401 if the current password is wrong', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('identity/password-wrong');

    const answer = await api.request<ErrorBody>('PUT', '/api/profile/password', {
      as: caller,
      body: passwords,
    });

    assert.equal(answer.status, 401);
    assert.equal(answer.body.code, 'wrong_password', 'not the code at which clients log out');
    assert.equal(answer.body.detail, 'The current password is wrong.');
  });

  it("is 400 with the policy's message if the new password violates it", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const message = 'The password does not match the requirements: at least 12 characters.';
    suite.cloud.reply('identity/password-wrong', {
      status: 400,
      body: { error: { code: 400, message, title: 'Bad Request' } },
    });

    const answer = await api.request<ErrorBody>('PUT', '/api/profile/password', {
      as: caller,
      body: passwords,
    });

    assert.equal(answer.status, 400);
    assert.equal(answer.body.detail, message);
  });

  it('writes no password to its log lines', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('identity/password-wrong', { status: 500, body: {} });

    await api.request('PUT', '/api/profile/password', { as: caller, body: passwords });

    assert.doesNotMatch(api.log.text(), /secret-\d/);
  });
});
