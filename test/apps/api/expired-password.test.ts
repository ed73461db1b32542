import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const USER_ID = '5f6cd12922c4428dbbbd8d5ee7e7ea43';
const CHANGE = { username: 'demo', current_password: 'old-secret', new_password: 'new-secret' };

describe('PUT /api/auth/expired-password', () => {
  const suite = apiSuite();
  const change = (api: TestApi, further: object = {}) =>
    api.request<ErrorBody & { message: string }>('PUT', '/api/auth/expired-password', {
      body: { ...CHANGE, ...further },
    });

  function refusesExpired(named = ` for user: ${USER_ID}`): void {
    const message = `The password is expired and needs to be changed${named}.`;
    suite.cloud.rejectsLogIn({ body: { error: { code: 401, message, title: 'Unauthorized' } } });
  }

  function answersChange(status: number, message = ''): void {
    suite.cloud.reply('identity/password-wrong', {
      path: `/v3/users/${USER_ID}/password`,
      requestBody: { user: { original_password: 'old-secret', password: 'new-secret' } },
      status,
      body: status === 204 ? '' : { error: { code: status, message, title: 'Refused' } },
    });
  }

  it('changes the password, and issues no token', async () => {
    const api = await suite.start();
    refusesExpired();
    answersChange(204);

    const { body, status } = await change(api);

    assert.deepEqual([status, body], [200, { message: 'The password has been changed.' }]);
    const [record] = await eventually(async () => {
      const found = await api.context.audit.read('session', {}, 10);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(
      [record?.route, record?.user_id, record?.user_name, record?.project_id],
      ['/api/auth/expired-password', USER_ID, 'demo', null],
    );
    assert.doesNotMatch(api.log.text(), /old-secret|new-secret/);
  });

  it('has the domain of the user', async () => {
    const api = await suite.start();
    const id = 'd'.repeat(32);
    for (const [fields, domain] of [
      [{ domain_name: 'Physics' }, { name: 'Physics' }],
      [{ user_domain: 'Physics' }, { name: 'Physics' }],
      [{ user_domain: id }, { id }],
    ] as const) {
      const user = { name: 'demo', password: 'old-secret', domain };
      suite.cloud.rejectsLogIn({
        requestBody: { auth: { identity: { methods: ['password'], password: { user } } } },
      });

      assert.equal((await change(api, fields)).status, 401);
    }
  });

  it('keeps the reason against the new password', async () => {
    const api = await suite.start();
    refusesExpired();
    const reason = 'The password does not match the requirements: at least 12 characters.';
    answersChange(400, reason);

    const { body, status } = await change(api);

    assert.deepEqual([status, body.code, body.detail], [400, 'invalid_input', reason]);
  });

  it('counts wrong passwords as failed log-ins', async () => {
    const api = await suite.start({ settings: { rate_limits: { login_failures: 2 } } });
    suite.cloud.rejectsLogIn();
    const first = await change(api);
    refusesExpired();
    answersChange(401, 'The request you have made requires authentication.');

    const answers = [first, await change(api), await change(api)];
    const logIn = await api.post('/api/auth/login', { body: { username: 'demo', password: 'old-secret' } });

    assert.deepEqual(
      answers.map(({ body, status }) => [status, body.code]),
      [
        [401, 'unauthorized'],
        [401, 'unauthorized'],
        [429, 'rate_limited'],
      ],
    );
    assert.equal(logIn.status, 429);
  });

  it('does not count log-ins with an expired password as failed', async () => {
    const api = await suite.start({ settings: { rate_limits: { login_failures: 1 } } });
    const body = { username: 'demo', password: 'old-secret' };

    for (let count = 0; count < 3; count += 1) {
      refusesExpired();
      const answer = await api.post<ErrorBody>('/api/auth/login', { body });
      assert.deepEqual([answer.status, answer.body.code], [401, 'password_expired']);
    }
  });

  it('refuses a password that has not expired, and leaves no token', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller).revokesToken(caller.token);
    const first = await change(api);
    suite.cloud.asksForMore('gAAAAABreceipt', [['password', 'totp']]);
    const second = await change(api);

    for (const { body, status } of [first, second]) {
      assert.deepEqual([status, body.code], [409, 'conflict']);
      assert.match(body.detail, /has not expired/);
    }
  });

  it('needs to revoke no token that is invalid already', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller).revokesToken(caller.token, { status: 401, body: {} });

    const { body, status } = await change(api);

    assert.deepEqual([status, body.code], [409, 'conflict']);
  });

  it('answers the same to all wrong credentials', async () => {
    const api = await suite.start();
    suite.cloud
      .rejectsLogIn()
      .rejectsLogIn({ status: 404, body: { error: { code: 404, message: 'Could not find domain' } } })
      .rejectsLogIn({ status: 403, body: { error: { code: 403, message: 'The account is locked' } } });

    for (let count = 0; count < 3; count += 1) {
      const { body, status } = await change(api);
      assert.deepEqual([status, body.detail], [401, 'The user name, password or domain is wrong.']);
    }
  });

  it('is a 502 if the identity service does not name the user', async () => {
    const api = await suite.start();
    refusesExpired('');

    assert.equal((await change(api)).status, 502);
  });
});
