import assert from 'node:assert/strict';
import { readQueued } from '@gateway/jobs';
import type { ErrorBody } from '../../support/api/client.ts';
import {
  expiryIn,
  instanceRequest,
  newCaller,
  type TestCaller,
  tokenBody,
} from '../../support/api/factories.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const HOUR = 3600;
const CREDENTIALS = '/api/auth/application-credentials';
const RECEIPT = `gAAAA${'r'.repeat(100)}`;
const REMEDY = /ask an administrator of the cloud to add the rule \["application_credential"\]/;
const credential = { id: 'c'.repeat(32), secret: 'a-very-secret-secret' };

interface SessionInfo {
  remaining_seconds: number;
  extendable: boolean;
}

/** The body of a token that was issued for the credential. */
function programBody(caller: TestCaller, more: object = {}): object {
  const { token } = tokenBody(caller) as { token: object };
  return { token: { ...token, application_credential: { id: credential.id, name: 'ci', ...more } } };
}

describe('a log-in with an application credential', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const logIn = (api: TestApi, body: object = { application_credential: credential }) =>
    api.post<ErrorBody & { token: string; project_id: string }>('/api/auth/login', { body });

  function accepts(caller: TestCaller, more: object = {}): void {
    suite.cloud.acceptsLogIn(caller, {
      body: programBody(caller, more),
      requestBody: {
        auth: { identity: { methods: ['application_credential'], application_credential: credential } },
      },
    });
  }

  it('returns the token, in the project of the credential', async () => {
    const api = await suite.start();
    const program = newCaller();
    accepts(program);

    const { body, headers, status } = await logIn(api);

    assert.deepEqual([status, body.token, body.project_id], [200, program.token, program.projectId]);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal((await api.get('/api/auth/me', { as: program })).status, 200);
  });

  it('lasts as long as its token, and needs no extension', async () => {
    const api = await suite.start({ settings: { session: { token_cache_seconds: 0 } } });
    const program = newCaller({ expiresAt: expiryIn(24 * HOUR * 1000) });
    accepts(program);
    await logIn(api);
    api.clock.advance(23 * HOUR);
    const info = async (method: string, path: string) => {
      suite.cloud.acceptsToken(program, { body: programBody(program) });
      const { body, status } = await api.request<SessionInfo>(method, path, { as: program });
      assert.equal(status, 200);
      return body;
    };

    const before = await info('GET', '/api/auth/session-info');
    const extended = await info('POST', '/api/auth/extend-session');

    assert.ok(Math.abs(before.remaining_seconds - HOUR) < 30, String(before.remaining_seconds));
    assert.ok(extended.remaining_seconds <= before.remaining_seconds);
    assert.deepEqual([before.extendable, extended.extendable], [false, false]);
  });

  it('keeps the secret sealed until its log-out, and logs none', async () => {
    const api = await suite.start();
    const program = newCaller();
    accepts(program);
    await logIn(api);
    const stored = (await allStoredData(api)).join('\n');
    assert.match(stored, /session-credential:/);

    suite.cloud.revokesToken(program.token);
    await api.post('/api/auth/logout', { as: program });

    assert.doesNotMatch(stored, /a-very-secret/);
    assert.doesNotMatch((await allStoredData(api)).join('\n'), /session-credential:/);
    assert.doesNotMatch(api.log.text(), /a-very-secret/);
  });

  it('is copied into a job, sealed, in place of a delegation', async () => {
    const api = await suite.start({
      settings: { service_user: { username: 'gateway', project_name: 'service' } },
    });
    const program = newCaller();
    accepts(program);
    await logIn(api);

    const stream = await api.stream('POST', '/api/instances/async', { as: program, body: instanceRequest() });

    const queued = await readQueued(api.context.redis.store, String(stream.headers.get('x-job-id')));
    const stored = await api.context.credentials.get(queued?.credentialHandle ?? '');
    assert.deepEqual(
      [stored?.applicationCredential?.id, stored?.applicationCredential?.secret],
      [credential.id, credential.secret],
    );
    assert.deepEqual([stored?.delegation, stored?.undelegated], [undefined, undefined]);
    assert.doesNotMatch((await allStoredData(api)).join('\n') + api.log.text(), /a-very-secret/);
    stream.close();
  });

  it('is 401 for a wrong id or secret, and counts as failed', async () => {
    const api = await suite.start({ settings: { rate_limits: { login_failures: 2 } } });
    suite.cloud.rejectsLogIn({ times: 2 });

    const answers = [await logIn(api), await logIn(api), await logIn(api)];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 429],
    );
    assert.equal(answers[0]?.body.code, 'unauthorized');
    assert.equal(answers[0]?.body.detail, 'The id or the secret of the application credential is wrong.');
    suite.cloud.rejectsLogIn();
    const other = await logIn(api, { application_credential: { ...credential, id: 'd'.repeat(32) } });
    assert.equal(other.status, 401);
  });

  it('is 403 for a user whose multi-factor rules refuse it, not counted', async () => {
    const api = await suite.start({ settings: { rate_limits: { login_failures: 2 } } });
    suite.cloud.asksForMore(RECEIPT, [], { times: 4 });

    const answers = [await logIn(api), await logIn(api), await logIn(api), await logIn(api)];

    for (const { body, status } of answers) {
      assert.deepEqual([status, body.code], [403, 'auth_method_unsupported']);
      assert.match(body.detail, REMEDY);
    }
    assert.doesNotMatch((await allStoredData(api)).join('\n') + api.log.text(), /gAAAA|a-very-secret/);
  });

  it('is 401 for a credential with access rules', async () => {
    const api = await suite.start();
    accepts(newCaller(), {
      access_rules: [{ id: 'r', service: 'compute', method: 'GET', path: '/v2.1/servers' }],
    });

    const { body, status } = await logIn(api);

    assert.deepEqual([status, body.code], [401, 'unauthorized']);
    assert.match(body.detail, /access rules/);
  });

  it('is 503 while the identity service is unavailable', async () => {
    const api = await suite.start();
    suite.cloud.reply('identity/token', { fault: 'ECONNREFUSED', times: 3 });

    assert.equal((await logIn(api)).status, 503);
  });

  it('needs id and secret, and no user', async () => {
    const api = await suite.start();
    const fieldsOf = async (body: object) => {
      const answer = await logIn(api, body);
      assert.equal(answer.status, 400);
      return answer.body.errors?.map(({ field }) => field);
    };

    assert.deepEqual(await fieldsOf({ application_credential: { id: 'c' } }), [
      'body.application_credential.secret',
    ]);
    assert.deepEqual(await fieldsOf({ application_credential: { id: '../c', secret: 's' } }), [
      'body.application_credential.id',
    ]);
    assert.deepEqual(await fieldsOf({}), ['body.username', 'body.password']);
  });

  it('is listed among the sessions of the user', async () => {
    const api = await suite.start();
    const program = newCaller();
    const person = newCaller();
    accepts(program);
    await logIn(api);
    suite.cloud.acceptsLogIn(person);
    await logIn(api, { username: 'demo', password: 'demo-secret' });

    const { body } = await api.get<{ application_credential_id: string | null }[]>('/api/auth/sessions', {
      as: person,
    });

    assert.deepEqual(
      new Set(body.map((session) => session.application_credential_id)),
      new Set([null, credential.id]),
    );
  });
});

describe('the application credentials of a user', () => {
  const suite = apiSuite();
  const record = {
    id: credential.id,
    name: 'ci',
    description: null,
    project_id: 'p',
    roles: [{ id: 'r', name: 'member' }],
    expires_at: '2027-01-31T00:00:00.000000',
    unrestricted: null,
  };
  const presented = {
    id: credential.id,
    name: 'ci',
    description: '',
    project_id: 'p',
    project_name: null as string | null,
    roles: ['member'],
    expires_at: '2027-01-31T00:00:00Z',
    unrestricted: false,
    access_rules: null,
  };
  const pathOf = ({ userId }: TestCaller, id = '') =>
    `/v3/users/${userId}/application_credentials${id && `/${id}`}`;

  function lists(caller: TestCaller, records: object[]): void {
    suite.cloud.reply('identity/users', {
      path: pathOf(caller),
      requestHeaders: { 'x-auth-token': caller.token },
      body: { application_credentials: records, links: { next: null } },
    });
  }

  it('are listed without secrets', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const rule = { id: 'x', service: 'compute', method: 'GET', path: '/v2.1/servers', links: {} };
    lists(caller, [record, { ...record, access_rules: [rule] }]);

    const { body } = await api.get(CREDENTIALS, { as: caller });

    const { service, method, path } = rule;
    assert.deepEqual(body, [presented, { ...presented, access_rules: [{ service, method, path }] }]);
  });

  it('are created with roles, end and access rules; secrets show once', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const asked = {
      name: 'ci',
      description: 'Nightly tests',
      expires_at: '2027-01-31T00:00:00Z',
      access_rules: [{ service: 'compute', method: 'GET', path: '/v2.1/servers/**' }],
    };
    const create = () =>
      api.post<ErrorBody>(CREDENTIALS, {
        as: caller,
        body: { ...asked, roles: ['member'], unrestricted: true },
        headers: { 'idempotency-key': 'once' },
      });
    suite.cloud.reply('identity/user-create', {
      path: pathOf(caller),
      requestBody: { application_credential: { ...asked, roles: [{ name: 'member' }] } },
      body: {
        application_credential: {
          ...record,
          access_rules: asked.access_rules.map((each) => ({ id: 'rule', ...each })),
          secret: credential.secret,
        },
      },
    });
    suite.cloud.acceptsLogIn(newCaller());

    const { body, headers, status } = await create();

    assert.deepEqual([status, headers['cache-control']], [201, 'no-store']);
    const { access_rules } = asked;
    assert.deepEqual(body, {
      ...presented,
      access_rules,
      project_name: 'demo2',
      secret: credential.secret,
    });
    suite.cloud.reply('identity/user-exists', { path: pathOf(caller) });
    const again = await create();
    assert.deepEqual([again.status, again.body.code], [409, 'conflict'], 'never replayed');
    const stored = (await allStoredData(api)).join('\n');
    assert.doesNotMatch(stored + api.log.text(), /a-very-secret|"once"/);
  });

  it('are not kept for a user who cannot log in with them', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const rules = [
      { id: 'new', service: 'compute', method: 'GET', path: '/v2.1/servers' },
      { id: 'used', service: 'compute', method: 'GET', path: '/v2.1/flavors' },
    ];
    suite.cloud
      .reply('identity/user-create', {
        path: pathOf(caller),
        body: { application_credential: { ...record, access_rules: rules, secret: credential.secret } },
      })
      .asksForMore(RECEIPT, [])
      .reply('identity/user-remove', { path: pathOf(caller, credential.id) })
      .reply('identity/user-remove', { path: `/v3/users/${caller.userId}/access_rules/new` })
      .reply('identity/user-forbidden', {
        method: 'DELETE',
        path: `/v3/users/${caller.userId}/access_rules/used`,
      });

    const { body, status, text } = await api.post<ErrorBody>(CREDENTIALS, {
      as: caller,
      body: { name: 'ci' },
    });

    assert.deepEqual([status, body.code], [403, 'auth_method_unsupported']);
    assert.match(body.detail, REMEDY);
    assert.doesNotMatch(text + api.log.text(), /gAAAA|a-very-secret/);
    suite.cloud.upstream.assertAllUsed();
  });

  it('are not kept if the service ignores their end or access rules', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const unlimited = { ...record, expires_at: null, access_rules: null, secret: credential.secret };
    suite.cloud
      .reply('identity/user-create', {
        path: pathOf(caller),
        body: { application_credential: unlimited },
      })
      .reply('identity/user-remove', { path: pathOf(caller, credential.id) });
    const asked = {
      name: 'ci',
      expires_at: '2027-01-31T00:00:00Z',
      access_rules: [{ service: 'compute', method: 'GET', path: '/v2.1/servers/**' }],
    };

    const { body, status } = await api.post<ErrorBody>(CREDENTIALS, { as: caller, body: asked });

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.match(body.detail, /ignores expires_at and access_rules/);
    suite.cloud.upstream.assertAllUsed();
  });

  it('have all roles by default, even if nobody can try them', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['member', 'reader'] }));
    const roles = caller.roles.map((name) => ({ name }));
    suite.cloud
      .reply('identity/user-create', {
        path: pathOf(caller),
        requestBody: { application_credential: { name: 'ci', roles } },
        body: { application_credential: { ...record, secret: credential.secret } },
      })
      .reply('identity/token', { fault: 'ECONNREFUSED', times: 3 });

    const { body, status } = await api.post(CREDENTIALS, { as: caller, body: { name: 'ci' } });

    const shown = { ...presented, project_name: 'demo2', secret: credential.secret };
    assert.deepEqual([status, body], [201, shown]);
  });

  it('are refused with invalid fields', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const rule = { service: 'compute', method: 'GET', path: '/' };
    for (const [body, field] of [
      [{}, 'body.name'],
      [{ name: 'ci', roles: [] }, 'body.roles'],
      [{ name: 'ci', expires_at: 'tomorrow' }, 'body.expires_at'],
      [{ name: 'ci', access_rules: [{ ...rule, path: 'servers' }] }, 'body.access_rules.0.path'],
      [{ name: 'ci', access_rules: [{ ...rule, method: 'TRACE' }] }, 'body.access_rules.0.method'],
    ] as const) {
      const answer = await api.post<ErrorBody>(CREDENTIALS, { as: caller, body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field]);
    }
  });

  it('are not for programs, with the reason', async () => {
    const api = await suite.start();
    const program = newCaller();
    suite.cloud.acceptsToken(program, { body: programBody(program) });
    suite.cloud.reply('identity/user-forbidden', { method: 'POST', path: pathOf(program) });

    const { body, status } = await api.post<ErrorBody>(CREDENTIALS, { as: program, body: { name: 'more' } });

    assert.deepEqual([status, body.code], [403, 'forbidden']);
    assert.match(body.detail, /^An application credential may not manage others/);
  });

  it('are deleted with the sessions that began with them', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const program = newCaller();
    suite.cloud.acceptsLogIn(program, { body: programBody(program) });
    await api.post('/api/auth/login', { body: { application_credential: credential } });
    assert.equal((await other.get('/api/auth/me', { as: program })).status, 200);
    const caller = suite.cloud.validCaller(newCaller());
    lists(caller, [record]);
    suite.cloud.reply('identity/user-remove', { path: pathOf(caller, credential.id) });
    suite.cloud.revokesToken(program.token, { status: 404, body: { error: { code: 404, message: 'gone' } } });

    const answer = await api.request('DELETE', `${CREDENTIALS}/${credential.id}`, { as: caller });

    assert.deepEqual([answer.status, answer.text], [204, '']);
    const after = await api.get<ErrorBody>('/api/auth/me', { as: program });
    assert.deepEqual([after.status, after.body.code], [401, 'session_expired']);
  });

  it('are 404 for another user', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    lists(caller, [record]);

    const answer = await api.request<ErrorBody>('DELETE', `${CREDENTIALS}/${'0'.repeat(32)}`, { as: caller });

    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  });
});

describe('the files for the tools of the cloud', () => {
  const suite = apiSuite();
  const endpoints = (region: string, url: string) => [
    { interface: 'internal', region_id: region, url: 'http://10.0.0.1/v3' },
    { interface: 'public', region_id: region, url },
  ];

  async function read(file: string, caller: TestCaller): Promise<string> {
    const api = await suite.start();
    suite.cloud.acceptsToken(caller).reply('identity/projects-mine', {
      path: '/v3/auth/catalog',
      body: {
        catalog: [
          {
            type: 'identity',
            endpoints: [
              ...endpoints('elsewhere', 'https://elsewhere.example.org'),
              ...endpoints('RegionOne', 'https://identity.example.org'),
            ],
          },
        ],
      },
    });
    const { headers, status, text } = await api.get(`/api/auth/${file}`, { as: caller });
    assert.equal(status, 200);
    assert.match(
      headers['content-disposition'] ?? '',
      /^attachment; filename="(?:clouds\.yaml|openrc\.sh)"$/,
    );
    assert.doesNotMatch(text, /gAAAA/);
    return text;
  }

  it('name the public address, the region, the project and the user', async () => {
    const caller = newCaller({ userName: 'dé "mo"', projectName: "o'brien\nX=1" });

    const yaml = await read('clouds.yaml', caller);

    assert.match(yaml, /auth_url: "https:\/\/identity\.example\.org\/v3"\n/);
    assert.match(yaml, /username: "dé \\"mo\\""\n {6}user_domain_name: "Default"\n/);
    assert.match(yaml, /region_name: "RegionOne"\n/);
    assert.match(yaml, /project_name: "o'brien\\nX=1"\n {6}project_domain_name: "Default"\n/);
    assert.doesNotMatch(yaml, /^ *(?:password|application_credential_secret):/m);
  });

  it('quote what a shell would run', async () => {
    const caller = newCaller({ userName: '$(reboot)', projectName: "o'brien" });

    const text = await read('openrc', caller);

    assert.match(text, /^export OS_AUTH_URL='https:\/\/identity\.example\.org\/v3'$/m);
    assert.match(text, /^export OS_USERNAME='\$\(reboot\)'$/m);
    assert.match(text, /^export OS_PROJECT_NAME='o'\\''brien'$/m);
    assert.match(text, /^read -rsp .* OS_PASSWORD && echo$/m);
  });

  it('log in with an application credential instead', async () => {
    const yaml = await read(`clouds.yaml?application_credential_id=${credential.id}`, newCaller());
    const text = await read(`openrc?application_credential_id=${credential.id}`, newCaller());

    assert.match(yaml, new RegExp(`application_credential_id: "${credential.id}"`));
    assert.doesNotMatch(yaml, /username|project_id/);
    assert.match(text, /^export OS_AUTH_TYPE='v3applicationcredential'$/m);
    assert.match(text, /^read -rsp .* OS_APPLICATION_CREDENTIAL_SECRET && echo$/m);
  });
});
