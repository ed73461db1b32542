import assert from 'node:assert/strict';
import { type Client, signIn, startTestCloud, type TestCloud } from './client.ts';

/** The responses match those of the real identity service (release Zed). */
describe('application credentials of the simulated cloud', () => {
  let cloud: TestCloud;
  let demo: Client;
  let gateway: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    gateway = await cloud.as('gateway', 'service');
  });
  afterEach(() => cloud.close());

  function path(id = ''): string {
    const list = `/identity/v3/users/${demo.userId}/application_credentials`;
    return id === '' ? list : `${list}/${id}`;
  }

  function create(change: object = {}, as: Pick<Client, 'call'> = demo) {
    const credential = { name: 'plugins', secret: 'its secret', ...change };
    return as.call('POST', path(), { application_credential: credential });
  }

  /** The user through a trust. */
  async function delegate(): Promise<Pick<Client, 'call'>> {
    const made = await demo.call('POST', '/identity/v3/OS-TRUST/trusts', {
      trust: {
        trustor_user_id: demo.userId,
        trustee_user_id: gateway.userId,
        project_id: demo.projectId,
        impersonation: true,
        roles: [{ name: 'member' }],
      },
    });
    const { auth } = signIn('gateway', 'gateway-secret') as { auth: object };
    const scope = { 'OS-TRUST:trust': { id: made.body.trust.id } };
    const answer = await cloud.call('POST', '/identity/v3/auth/tokens', { auth: { ...auth, scope } });
    const token = { 'X-Auth-Token': answer.headers.get('x-subject-token') ?? '' };
    return { call: (method, at, body) => cloud.call(method, at, body, token) };
  }

  it('have the roles of the user, or those of them that are named, and show their secret once', async () => {
    const all = (await create()).body.application_credential;
    const one = (await create({ name: 'reader', roles: [{ name: 'reader' }] })).body.application_credential;

    const rolesOf = ({ roles }: { roles: { name: string }[] }) => roles.map(({ name }) => name);
    assert.deepEqual([rolesOf(all), rolesOf(one)], [['member', 'reader'], ['reader']]);
    assert.deepEqual([all.secret, all.project_id], ['its secret', demo.projectId]);
    const { body } = await demo.call('GET', `${path()}?name=plugins`);
    assert.deepEqual(
      body.application_credentials.map((row: { id: string; secret?: string }) => [row.id, row.secret]),
      [[all.id, undefined]],
    );
  });

  it('keep their access rules', async () => {
    const rule = { service: 'compute', method: 'GET', path: '/v2.1/servers/**' };

    const { body } = await create({ access_rules: [rule] });

    const [{ id, ...kept }] = body.application_credential.access_rules;
    assert.deepEqual(kept, rule);
    assert.equal((await create({ name: 'twice', access_rules: [rule, rule] })).status, 409);
    assert.equal((await create({ name: 'bad', access_rules: [{ ...rule, method: 'FETCH' }] })).status, 400);
  });

  it('log in to their project, and are refused what their access rules do not permit', async () => {
    const rules = [
      { service: 'compute', method: 'GET', path: '/**v2**/servers/*' },
      { service: 'network', method: 'GET', path: '/**v2.0/networks**' },
    ];
    const { id } = (await create({ access_rules: rules, roles: [{ name: 'reader' }] })).body
      .application_credential;
    const logIn = (secret: string) =>
      cloud.call('POST', '/identity/v3/auth/tokens', {
        auth: { identity: { methods: ['application_credential'], application_credential: { id, secret } } },
      });
    const answer = await logIn('its secret');
    const headers = { 'X-Auth-Token': answer.headers.get('x-subject-token') ?? '' };
    const read = async (path: string) => (await cloud.call('GET', path, undefined, headers)).status;
    const reads = async () =>
      Promise.all(
        ['/compute/v2.1/servers/none', '/network/v2.0/networks?limit=1', '/compute/v2.1/servers'].map(read),
      );

    const { token } = answer.body;
    assert.deepEqual([token.project.id, token.roles.length], [demo.projectId, 1]);
    assert.deepEqual(await reads(), [404, 200, 401]);
    assert.equal((await logIn('another')).status, 401);
    cloud.cloud.settings.refusesAccessRules = true;
    assert.deepEqual(await reads(), [401, 401, 401]);
    await demo.call('DELETE', path(id));
    assert.equal((await logIn('its secret')).status, 401);
  });

  it('are refused with a name that the user has used, and with roles that the user lacks', async () => {
    await create();

    assert.equal((await create()).status, 409);
    assert.equal((await create({ name: 'other', roles: [{ name: 'admin' }] })).status, 400);
    assert.equal((await create({ name: 'other', roles: [{ name: 'nonesuch' }] })).status, 404);
    assert.equal((await create({ name: 'other' }, gateway)).status, 403);
  });

  it('are removed by their user and by administrators only, in whatever project', async () => {
    const alice = await cloud.as('alice');
    const ids = [];
    for (const name of ['a', 'b']) ids.push((await create({ name })).body.application_credential.id);
    const [first = '', second = ''] = ids;

    assert.equal((await alice.call('DELETE', path(first))).status, 403);
    assert.equal((await (await cloud.as('demo', 'demo2')).call('DELETE', path(first))).status, 204);
    assert.equal((await gateway.call('DELETE', path(second))).status, 204);
    assert.equal((await gateway.call('DELETE', path(second))).status, 404);
  });

  it('are out of reach of a delegation', async () => {
    const { id } = (await create()).body.application_credential;
    const delegated = await delegate();

    assert.equal((await create({ name: 'other' }, delegated)).status, 403);
    assert.equal((await delegated.call('GET', path())).status, 403);
    assert.equal((await delegated.call('DELETE', path(id))).status, 403);
  });

  it('go with their user', async () => {
    const { id } = (await create()).body.application_credential;

    await gateway.call('DELETE', `/identity/v3/users/${demo.userId}`);

    assert.equal((await gateway.call('GET', path(id))).status, 404);
  });
});
