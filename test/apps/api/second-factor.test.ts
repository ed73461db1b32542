import assert from 'node:assert/strict';
import type { ApiResponse, ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

interface Unfinished extends ErrorBody {
  receipt: string;
  receipt_expires_at: string;
  missing_methods: string[];
}

const RECEIPT = `gAAAAABreceipt${'x'.repeat(160)}`;
const RULES = [['password', 'totp']];
const LOG_IN = '/api/auth/login';

describe('a log-in with a second factor', () => {
  const suite = apiSuite();
  const body = { username: 'demo', password: 'demo-secret' };

  /** The first step. */
  async function begin(api: TestApi, further: object = {}, headers = {}): Promise<ApiResponse<Unfinished>> {
    suite.cloud.asksForMore(RECEIPT, RULES);
    return api.post<Unfinished>(LOG_IN, { body: { ...body, ...further }, headers });
  }

  /** The second step. */
  function proceed(api: TestApi, receipt: string, passcode: string, headers = {}) {
    return api.post<ErrorBody & { token?: string }>(LOG_IN, { body: { receipt, passcode }, headers });
  }

  it('gets a sealed receipt for the password, then a token', async () => {
    const api = await suite.start();
    const caller = newCaller();

    const first = await begin(api);
    suite.cloud.acceptsLogIn(caller, {
      requestHeaders: { 'openstack-auth-receipt': RECEIPT },
      requestBody: {
        auth: {
          identity: { methods: ['totp'], totp: { user: { id: 'user-of-receipt', passcode: '123456' } } },
        },
      },
    });
    const second = await proceed(api, first.body.receipt, '123456');

    assert.deepEqual(
      [first.status, first.body.code, first.body.missing_methods],
      [401, 'totp_required', ['totp']],
    );
    const remainingMs = Date.parse(first.body.receipt_expires_at) - api.clock.now();
    assert.ok(remainingMs > 290_000 && remainingMs <= 300_000, String(remainingMs));
    assert.ok(!first.text.includes(RECEIPT));
    assert.deepEqual([second.status, second.body.token], [200, caller.token]);
    assert.equal((await api.get('/api/auth/session-info', { as: caller })).status, 200);
  });

  it('continues at another process, in the project of its first step', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const first = await begin(api, { project_name: 'lab', domain_name: 'Physics' });
    const totp = { user: { id: 'user-of-receipt', passcode: '123456' } };
    suite.cloud.acceptsLogIn(newCaller(), {
      requestBody: {
        auth: {
          identity: { methods: ['totp'], totp },
          scope: { project: { name: 'lab', domain: { name: 'Physics' } } },
        },
      },
    });

    assert.equal((await proceed(other, first.body.receipt, '123456')).status, 200);
  });

  it('keeps the domain of the project apart from that of the user', async () => {
    const api = await suite.start();
    const domains = { user_domain: 'Physics', project_domain: 'd'.repeat(32) };
    const first = await begin(api, { project_name: 'lab', ...domains });
    const totp = { user: { id: 'user-of-receipt', passcode: '123456' } };
    suite.cloud.acceptsLogIn(newCaller(), {
      requestBody: {
        auth: {
          identity: { methods: ['totp'], totp },
          scope: { project: { name: 'lab', domain: { id: 'd'.repeat(32) } } },
        },
      },
    });

    assert.equal((await proceed(api, first.body.receipt, '123456')).status, 200);
  });

  it('keeps its receipt after a wrong passcode', async () => {
    const api = await suite.start();
    const first = await begin(api);
    suite.cloud.rejectsLogIn();

    const wrong = await proceed(api, first.body.receipt, '000000');
    suite.cloud.acceptsLogIn(newCaller());
    const right = await proceed(api, first.body.receipt, '123456');

    assert.deepEqual(
      [wrong.status, wrong.body.code, wrong.body.detail],
      [401, 'wrong_passcode', 'The passcode is wrong.'],
    );
    assert.equal(right.status, 200);
  });

  it('refuses a passcode that has been used, in every process', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const first = await begin(api);
    suite.cloud.acceptsLogIn(newCaller());
    assert.equal((await proceed(api, first.body.receipt, '123456')).status, 200);

    const again = await begin(other);
    const answer = await proceed(other, again.body.receipt, '123456');

    assert.deepEqual([answer.status, answer.body.code], [401, 'wrong_passcode']);
    assert.match(answer.body.detail, /has been used/);
  });

  it('accepts a passcode again that no answer has confirmed', async () => {
    const api = await suite.start();
    const first = await begin(api);
    suite.cloud.rejectsLogIn({ fault: 'ECONNREFUSED', times: 3 });
    assert.equal((await proceed(api, first.body.receipt, '123456')).status, 503);

    suite.cloud.acceptsLogIn(newCaller());

    assert.equal((await proceed(api, first.body.receipt, '123456')).status, 200);
  });

  it('ends with its receipt, and takes no other text for one', async () => {
    const api = await suite.start();
    const first = await begin(api);
    const ofOtherPurpose = api.context.sealer.seal('other', JSON.stringify({ receipt: RECEIPT }));
    const changed = `${first.body.receipt.slice(0, -4)}AAAA`;
    for (const receipt of ['nonsense', ofOtherPurpose, changed]) {
      const { body: error, status } = await proceed(api, receipt, '123456');
      assert.deepEqual([status, error.code], [401, 'invalid_receipt'], receipt);
    }
    api.clock.advance(301);

    const late = await proceed(api, first.body.receipt, '123456');

    assert.deepEqual([late.status, late.body.code], [401, 'invalid_receipt']);
  });

  it('ends when the identity service does not know its receipt', async () => {
    const api = await suite.start();
    const first = await begin(api);
    const message = `Could not find auth receipt: ${RECEIPT}.`;
    suite.cloud.rejectsLogIn({ body: { error: { code: 401, message, title: 'Unauthorized' } } });

    const answer = await proceed(api, first.body.receipt, '123456');

    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_receipt']);
    assert.ok(!answer.text.includes('gAAAA'));
  });

  it('offers only what the gateway supports, and names what it does not', async () => {
    const api = await suite.start();
    suite.cloud
      .asksForMore(RECEIPT, [
        ['password', 'kerberos'],
        ['password', 'totp'],
      ])
      .asksForMore(RECEIPT, [['password', 'totp', 'kerberos']])
      .asksForMore(RECEIPT, []);

    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await api.post<Unfinished>(LOG_IN, { body }));

    assert.deepEqual(
      answers.map(({ body: { code, missing_methods, receipt }, status }) => [
        status,
        code,
        missing_methods,
        receipt === undefined,
      ]),
      [
        [401, 'totp_required', ['totp'], false],
        [403, 'auth_method_unsupported', undefined, true],
        [403, 'auth_method_unsupported', undefined, true],
      ],
    );
    assert.match(answers[1]?.body.detail ?? '', /requires kerberos for this log-in/);
    assert.match(answers[2]?.body.detail ?? '', /requires other methods than the password/);
  });

  it('requires a passcode of six digits with a receipt', async () => {
    const api = await suite.start();

    for (const further of [{}, { passcode: '12345' }, { passcode: 'abcdef' }, { passcode: 123456 }]) {
      const answer = await api.post<ErrorBody>(LOG_IN, { body: { receipt: 'r', ...further } });
      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['body.passcode'],
      );
    }
  });

  it('counts as failed for wrong passcodes only', async () => {
    const api = await suite.start({ settings: { rate_limits: { login_failures: 2 } } });
    await begin(api);
    await begin(api);
    await begin(api);
    const { body: unfinished } = await begin(api);
    await proceed(api, 'nonsense', '123456');
    suite.cloud.rejectsLogIn({ times: 2 });

    const statuses = [];
    for (const passcode of ['000001', '000002', '000003'])
      statuses.push((await proceed(api, unfinished.receipt, passcode)).status);
    const password = await api.post(LOG_IN, { body });

    assert.deepEqual([...statuses, password.status], [401, 401, 429, 429]);
  });

  it('limits wrong passcodes of a user from all addresses', async () => {
    const limits = { login_failures: 0, login_failures_by_name: 0, passcode_failures: 2 };
    const http = { trusted_proxies: ['loopback'] };
    const api = await suite.start({ settings: { rate_limits: limits, http } });

    const answers = [];
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      const headers = { 'x-forwarded-for': address };
      const { body: unfinished } = await begin(api, {}, headers);
      if (answers.length < 2) suite.cloud.rejectsLogIn();
      answers.push(await proceed(api, unfinished.receipt, `00000${answers.length}`, headers));
    }

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 429],
    );
    const retryAfter = Number(answers[2]?.headers['retry-after']);
    assert.ok(retryAfter > 3500 && retryAfter <= 3600, String(retryAfter));
  });

  it('leaves audit records, and no secret in store or log', async () => {
    const api = await suite.start();
    const user = newCaller();
    const first = await begin(api);
    suite.cloud.acceptsLogIn(user);
    await proceed(api, first.body.receipt, '987654');

    const [session] = await eventually(async () => {
      const found = await api.context.audit.read('session', {}, 10);
      return found.length > 0 ? found : undefined;
    });
    const [refusal] = await api.context.audit.read('refusal', {}, 10);
    assert.deepEqual([session?.user_id, session?.status, refusal?.status], [user.userId, 200, 401]);
    assert.ok(session?.name_hash);
    assert.equal(session?.name_hash, refusal?.name_hash);
    const kept = [...(await allStoredData(api)), api.log.text()].join('\n');
    for (const secret of [RECEIPT, first.body.receipt, '987654', body.password])
      assert.ok(!kept.includes(secret), secret);
  });
});
