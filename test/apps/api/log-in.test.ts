import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, tokenBody } from '../../support/api/factories.ts';
import { type Settings, withServiceUser } from '../../support/api/settings.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface TokenAnswer {
  token: string;
  project_id: string;
  expires_at: string;
  roles: string[];
  is_admin: boolean;
}

const DOMAIN_ID = 'd'.repeat(32);
/** Of the recorded user and project. */
const recordedDomains = {
  user_domain_id: 'default',
  user_domain_name: 'Default',
  project_domain_id: 'default',
  project_domain_name: 'Default',
};

describe('POST /api/auth/login', () => {
  const suite = apiSuite();
  const body = { username: 'demo', password: 'demo-secret' };
  const user = { name: 'demo', password: 'demo-secret', domain: { name: 'Default' } };
  const identity = { methods: ['password'], password: { user } };

  it("issues a token for the user's default project", async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller, { requestBody: { auth: { identity } } });

    const answer = await api.post<TokenAnswer>('/api/auth/login', { body });

    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      token: caller.token,
      project_id: caller.projectId,
      project_name: caller.projectName,
      user_id: caller.userId,
      username: caller.userName,
      ...recordedDomains,
      expires_at: caller.expiresAt.replace('.000000', ''),
      roles: caller.roles,
      is_admin: false,
    });
  });

  it('returns whether the user is an administrator, by the configured role', async () => {
    const api = await suite.start({ settings: { identity: { admin_role: 'cloud-operator' } } });
    suite.cloud
      .acceptsLogIn(newCaller({ roles: ['admin', 'member'] }))
      .acceptsLogIn(newCaller({ roles: ['cloud-operator'] }));

    const first = await api.post<TokenAnswer>('/api/auth/login', { body });
    const second = await api.post<TokenAnswer>('/api/auth/login', { body });

    assert.deepEqual([first.body.roles, first.body.is_admin], [['admin', 'member'], false]);
    assert.deepEqual([second.body.roles, second.body.is_admin], [['cloud-operator'], true]);
  });

  it('is not cached', async () => {
    const api = await suite.start();
    suite.cloud.acceptsLogIn(newCaller());

    const answer = await api.post('/api/auth/login', { body });

    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  it('issues a token for the requested project and domain', async () => {
    const api = await suite.start();
    suite.cloud.acceptsLogIn(newCaller(), {
      requestBody: {
        auth: {
          identity: { ...identity, password: { user: { ...user, domain: { name: 'Physics' } } } },
          scope: { project: { name: 'lab', domain: { name: 'Physics' } } },
        },
      },
    });

    const answer = await api.post('/api/auth/login', {
      body: { ...body, project_name: 'lab', domain_name: 'Physics' },
    });

    assert.equal(answer.status, 200);
  });

  for (const [what, fields, userDomain, projectDomain] of [
    ['of user and project', { user_domain: 'Physics', project_domain: 'Labs' }, 'Physics', 'Labs'],
    ['of the user, and of its project', { user_domain: 'Physics' }, 'Physics', 'Physics'],
    ['of the project', { project_domain: 'Labs' }, 'Default', 'Labs'],
    ['of the user beside that of both', { domain_name: 'Labs', user_domain: 'Physics' }, 'Physics', 'Labs'],
    ['of both, in the form of an id', { domain_name: DOMAIN_ID }, DOMAIN_ID, DOMAIN_ID],
  ] as [string, Record<string, string>, string, string][]) {
    it(`takes the domain ${what}`, async () => {
      const api = await suite.start();
      suite.cloud.acceptsLogIn(newCaller(), {
        requestBody: {
          auth: {
            identity: { ...identity, password: { user: { ...user, domain: { name: userDomain } } } },
            scope: { project: { name: 'lab', domain: { name: projectDomain } } },
          },
        },
      });

      const answer = await api.post('/api/auth/login', { body: { ...body, project_name: 'lab', ...fields } });

      assert.equal(answer.status, 200);
    });
  }

  it('takes ids of domains', async () => {
    const api = await suite.start();
    suite.cloud.acceptsLogIn(newCaller(), {
      requestBody: {
        auth: {
          identity: { ...identity, password: { user: { ...user, domain: { id: DOMAIN_ID } } } },
          scope: { project: { name: 'lab', domain: { id: 'default' } } },
        },
      },
    });

    const answer = await api.post('/api/auth/login', {
      body: { ...body, project_name: 'lab', user_domain: DOMAIN_ID, project_domain: 'default' },
    });

    assert.equal(answer.status, 200);
  });

  it('uses the first enabled project by name without a default project', async () => {
    const api = await suite.start();
    const unscoped = newCaller({ projectId: '', projectName: '' });
    const [recorded] = fixtureBody<object[]>('identity/projects-mine', 'projects');
    const first = newCaller({ projectId: 'p-b', projectName: 'beta' });
    suite.cloud
      .acceptsLogIn(unscoped)
      .reply('identity/projects-mine', {
        body: {
          projects: [
            { ...recorded, id: 'p-g', name: 'gamma', enabled: true },
            { ...recorded, id: 'p-a', name: 'alpha', enabled: false },
            { ...recorded, id: 'p-b', name: 'beta', enabled: true },
          ],
        },
        requestHeaders: { 'x-auth-token': unscoped.token },
      })
      .rescopesToken(unscoped.token, first);

    const answer = await api.post<TokenAnswer>('/api/auth/login', { body });

    assert.equal(answer.status, 200);
    assert.equal(answer.body.project_id, 'p-b');
    assert.equal(answer.body.token, first.token);
  });

  /** A log-in of a user without a default project, who has these. */
  function acceptsUserWith(ids: readonly string[]): string {
    const unscoped = newCaller({ projectId: '', projectName: '' });
    const [recorded] = fixtureBody<object[]>('identity/projects-mine', 'projects');
    suite.cloud.acceptsLogIn(unscoped).reply('identity/projects-mine', {
      body: { projects: ids.map((id) => ({ ...recorded, id, name: id, enabled: true })) },
    });
    return unscoped.token;
  }

  it('passes over projects that the service refuses, as of a disabled domain', async () => {
    const api = await suite.start();
    const token = acceptsUserWith(['p-a', 'p-b', 'p-c']);
    suite.cloud
      .deniesProject(token, 'p-a')
      .deniesProject(token, 'p-b')
      .rescopesToken(token, newCaller({ projectId: 'p-c' }));

    const answer = await api.post<TokenAnswer>('/api/auth/login', { body });

    assert.deepEqual([answer.status, answer.body.project_id], [200, 'p-c']);
  });

  it('is 403 no_project after twenty refused projects', async () => {
    const api = await suite.start();
    const ids = Array.from({ length: 21 }, (_, index) => `p-${10 + index}`);
    const token = acceptsUserWith(ids);
    for (const id of ids.slice(0, 20)) suite.cloud.deniesProject(token, id);

    const answer = await api.post<ErrorBody>('/api/auth/login', { body });

    assert.deepEqual([answer.status, answer.body.code], [403, 'no_project']);
  });

  it('tries no further project with a token that is refused itself', async () => {
    const api = await suite.start();
    const token = acceptsUserWith(['p-a', 'p-b']);
    suite.cloud.rescopesToken(token, newCaller({ projectId: 'p-a' }), {
      status: 404,
      body: { error: { code: 404, message: 'Failed to validate token', title: 'Not Found' } },
    });

    const answer = await api.post<ErrorBody>('/api/auth/login', { body });

    assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized']);
  });

  it('is 403 no_project for a user without a project', async () => {
    const api = await suite.start();
    suite.cloud
      .acceptsLogIn(newCaller({ projectId: '', projectName: '' }))
      .reply('identity/projects-mine', { body: { projects: [] } });

    const answer = await api.post<ErrorBody>('/api/auth/login', { body });

    assert.equal(answer.status, 403);
    assert.equal(answer.body.code, 'no_project');
  });

  it('answers the same to all wrong credentials', async () => {
    const api = await suite.start();
    suite.cloud
      .rejectsLogIn()
      .reply('identity/token-no-access')
      .rejectsLogIn({
        status: 404,
        body: { error: { code: 404, message: 'Could not find domain: nowhere' } },
      })
      .rejectsLogIn({ status: 403, body: { error: { code: 403, message: 'The account is locked' } } });

    const answers = [];
    for (const further of [
      {},
      { project_name: 'foreign' },
      { user_domain: 'nowhere' },
      { username: 'locked' },
    ]) {
      answers.push(await api.post<ErrorBody>('/api/auth/login', { body: { ...body, ...further } }));
    }

    for (const { status, body: error } of answers) {
      assert.equal(status, 401);
      assert.equal(error.code, 'unauthorized');
      assert.equal(error.detail, 'The user name, password, domain or project is wrong.');
      assert.equal(error.upstream, undefined);
    }
  });

  it('says that the password has expired, which only its owner learns', async () => {
    const api = await suite.start();
    const message = 'The password is expired and needs to be changed for user: 5f6cd12922c4.';
    suite.cloud.rejectsLogIn({ status: 401, body: { error: { code: 401, message, title: 'Unauthorized' } } });

    const answer = await api.post<ErrorBody>('/api/auth/login', { body });

    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.detail],
      [401, 'password_expired', 'The password has expired and has to be changed.'],
    );
  });

  it('keeps the reason of a rejected request, whoever sends it', async () => {
    const api = await suite.start();
    const message = 'Expecting to find id or name in user.';
    suite.cloud.rejectsLogIn({ status: 400, body: { error: { code: 400, message, title: 'Bad Request' } } });

    const answer = await api.post<ErrorBody>('/api/auth/login', { body });

    assert.deepEqual([answer.status, answer.body.code, answer.body.detail], [400, 'invalid_input', message]);
  });

  it('is 503 and not 401 while the identity service is unavailable', async () => {
    const api = await suite.start();
    suite.cloud.rejectsLogIn({ fault: 'ECONNREFUSED', times: 3 });

    const answer = await api.post('/api/auth/login', { body });

    assert.equal(answer.status, 503);
  });

  it('requires a user name and a password', async () => {
    const api = await suite.start();

    const answer = await api.post<ErrorBody>('/api/auth/login', { body: {} });

    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.errors?.map(({ field }) => field),
      ['body.username', 'body.password'],
    );
  });

  it("starts to fill the dashboard's caches", async () => {
    const api = await suite.start();
    suite.cloud.acceptsLogIn(newCaller());

    await api.post('/api/auth/login', { body });

    const depths = await api.get('/api/metrics');
    assert.match(depths.text, /^gateway_queue_jobs\{queue="maintenance",state="waiting"\} 1$/m);
  });

  it('starts a session', async () => {
    const api = await suite.start();
    const caller = newCaller();
    suite.cloud.acceptsLogIn(caller);
    await api.post('/api/auth/login', { body });
    api.clock.advance(100);

    const info = await api.get<{ remaining_seconds: number }>('/api/auth/session-info', { as: caller });

    assert.ok(info.body.remaining_seconds <= 3500 && info.body.remaining_seconds > 3490);
  });
});

describe('GET /api/auth/me', () => {
  const suite = apiSuite();

  it('returns the user, the project and the roles', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['reader', 'member'] }));

    const answer = await api.get('/api/auth/me', { as: caller });

    assert.deepEqual(answer.body, {
      user_id: caller.userId,
      username: caller.userName,
      project_id: caller.projectId,
      project_name: caller.projectName,
      ...recordedDomains,
      roles: ['reader', 'member'],
      can: ['change'],
    });
  });

  it('has an empty project for a token without a project', async () => {
    const api = await suite.start();
    const caller = newCaller({ projectId: '', projectName: '' });
    suite.cloud.acceptsToken(caller, { body: tokenBody(caller) });

    const answer = await api.get('/api/auth/me', { as: caller, projectId: null });

    assert.deepEqual(answer.body, {
      user_id: caller.userId,
      username: caller.userName,
      project_id: '',
      project_name: '',
      ...recordedDomains,
      project_domain_id: '',
      project_domain_name: '',
      roles: [],
      can: [],
    });
  });
});

describe('GET /api/auth/projects', () => {
  const suite = apiSuite();

  it('lists the projects of the caller, with an empty description by default', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const recorded = fixtureBody<Record<string, unknown>[]>('identity/projects-mine', 'projects');
    const [first, ...rest] = recorded;
    suite.cloud.reply('identity/projects-mine', {
      body: { projects: [{ ...first, description: null }, ...rest] },
      requestHeaders: { 'x-auth-token': caller.token },
    });

    const answer = await api.get('/api/auth/projects', { as: caller });

    assert.deepEqual(
      answer.body,
      recorded.map(({ id, name, description, enabled, domain_id }, index) => ({
        id,
        name,
        description: index === 0 ? '' : description,
        enabled,
        domain_id,
        domain_name: 'Default',
      })),
    );
  });

  /** Lists a project of another domain, of which the caller's token does not have the name. */
  async function listForeign(settings?: Settings) {
    const api = await suite.start({ settings });
    const caller = newCaller();
    const [recorded] = fixtureBody<object[]>('identity/projects-mine', 'projects');
    const projects = [{ ...recorded, domain_id: DOMAIN_ID }];
    suite.cloud.acceptsToken(caller).reply('identity/projects-mine', { body: { projects } });
    return async () => {
      const { body } = await api.get<{ domain_name: string }[]>('/api/auth/projects', { as: caller });
      return body.map(({ domain_name }) => domain_name);
    };
  }

  it('names other domains, which the service user reads', async () => {
    const list = await listForeign(withServiceUser);
    const domain = { id: DOMAIN_ID, name: 'Physics', enabled: true };
    suite.cloud.acceptsLogIn(newCaller()).reply('identity/domains', { body: { domains: [domain] } });

    assert.deepEqual(await list(), ['Physics']);
  });

  it('leaves a name empty that the service user may not read', async () => {
    const list = await listForeign(withServiceUser);
    suite.cloud.acceptsLogIn(newCaller()).reply('identity/domains', { status: 403, body: {} });

    assert.deepEqual(await list(), ['']);
  });

  it('leaves a name empty without a service user', async () => {
    const list = await listForeign();

    assert.deepEqual(await list(), ['']);
  });
});
