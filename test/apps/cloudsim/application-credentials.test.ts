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

  /** A token of a new credential of demo. */
  async function tokenOf(change: object): Promise<Pick<Client, 'call' | 'token'>> {
    const { id } = (await create(change)).body.application_credential;
    const { headers } = await cloud.call('POST', '/identity/v3/auth/tokens', {
      auth: {
        identity: {
          methods: ['application_credential'],
          application_credential: { id, secret: 'its secret' },
        },
      },
    });
    const token = headers.get('x-subject-token') ?? '';
    const call: Client['call'] = (method, at, body, more) =>
      cloud.call(method, at, body, { 'X-Auth-Token': token, ...more });
    return { token, call };
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

  it('of readers write only what is their own', async () => {
    const reader = await tokenOf({ roles: [{ name: 'reader' }] });
    const writes: [path: string, body: object][] = [
      ['/compute/v2.1/servers', { server: { name: 'x' } }],
      ['/compute/v2.1/os-server-groups', { server_group: { name: 'x', policy: 'affinity' } }],
      [`/volume/v3/${demo.projectId}/volumes`, { volume: { size: 1 } }],
      ['/share/v2/shares', { share: { size: 1, share_proto: 'NFS' } }],
      ['/network/v2.0/networks', { network: { name: 'x' } }],
      ['/image/v2/images', { name: 'x' }],
      ['/load-balancer/v2.0/lbaas/loadbalancers', { loadbalancer: { name: 'x' } }],
    ];
    for (const [at, body] of writes) {
      assert.equal((await reader.call('POST', at, body)).status, 403, at);
      assert.equal((await reader.call('GET', at)).status, 200, at);
    }
    const keyPair = { keypair: { name: 'own' } };
    assert.ok((await reader.call('POST', '/compute/v2.1/os-keypairs', keyPair)).status < 300);
  });

  it('have all or the named roles, and show their secret once', async () => {
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

  it('expire with their tokens, and not in the past', async () => {
    const inAMinute = new Date(cloud.clock.now() + 60_000).toISOString();
    const past = await create({ expires_at: '2020-01-01T00:00:00Z' });
    const { token } = await tokenOf({ expires_at: inAMinute });

    const answer = await cloud.call('GET', '/identity/v3/auth/tokens', undefined, {
      'X-Auth-Token': token,
      'X-Subject-Token': token,
    });

    assert.equal(past.status, 400);
    assert.match(past.body.error.message, /^The 'expires_at' must not be before now\./);
    assert.equal(Date.parse(answer.body.token.expires_at), Date.parse(inAMinute));
  });

  it('are deleted by their owner only, with their tokens', async () => {
    const { id } = (await create({ name: 'first' })).body.application_credential;
    const program = await tokenOf({ name: 'second' });
    const { body } = await demo.call('GET', path());
    const second = body.application_credentials.find((row: { name: string }) => row.name === 'second');
    const alice = await cloud.as('alice');
    const ofAlice = `/identity/v3/users/${alice.userId}/application_credentials/${id}`;

    assert.equal((await alice.call('DELETE', ofAlice)).status, 403);
    assert.equal((await demo.call('DELETE', path(second.id))).status, 204);
    assert.equal((await program.call('GET', '/identity/v3/auth/projects')).status, 401);
  });

  it('keep their access rules', async () => {
    const rule = { service: 'compute', method: 'GET', path: '/v2.1/servers/**' };

    const { body } = await create({ access_rules: [rule] });

    const [{ id, ...kept }] = body.application_credential.access_rules;
    assert.deepEqual(kept, rule);
    assert.equal((await create({ name: 'twice', access_rules: [rule, rule] })).status, 409);
    assert.equal((await create({ name: 'bad', access_rules: [{ ...rule, method: 'FETCH' }] })).status, 400);
  });

  it('share equal access rules, which outlive them', async () => {
    const rules = ['/a', '/b'].map((path) => ({ service: 'compute', method: 'GET', path }));
    const list = `/identity/v3/users/${demo.userId}/access_rules`;
    const rulesOf = async () =>
      (await demo.call('GET', list)).body.access_rules.map(({ id }: { id: string }) => id);
    const ids = [];
    for (const [name, access_rules] of [
      ['first', rules],
      ['second', rules.slice(0, 1)],
    ])
      ids.push((await create({ name, access_rules })).body.application_credential.id);

    const [a, b] = await rulesOf();
    assert.equal((await rulesOf()).length, 2);
    const inUse = await demo.call('DELETE', `${list}/${a}`);
    assert.deepEqual([inUse.status, inUse.body.error.message], [403, 'May not delete access rule in use']);
    await demo.call('DELETE', path(ids[0]));
    assert.equal((await demo.call('DELETE', `${list}/${a}`)).status, 403);
    assert.equal((await demo.call('DELETE', `${list}/${b}`)).status, 204);
    assert.equal((await demo.call('DELETE', `${list}/${b}`)).status, 404);
    assert.deepEqual(await rulesOf(), [a]);
    await demo.call('DELETE', path(ids[1]));
    assert.deepEqual(await rulesOf(), [a]);
  });

  it('have rules that only their user lists and removes', async () => {
    const rule = { service: 'compute', method: 'GET', path: '/a' };
    const { id } = (await create({ access_rules: [rule] })).body.application_credential;
    await demo.call('DELETE', path(id));
    const list = `/identity/v3/users/${demo.userId}/access_rules`;
    const [{ id: ruleId }] = (await demo.call('GET', list)).body.access_rules;

    for (const other of [gateway, await cloud.as('alice'), await delegate()]) {
      assert.equal((await other.call('GET', list)).status, 403);
      assert.equal((await other.call('DELETE', `${list}/${ruleId}`)).status, 403);
    }
    assert.equal((await demo.call('DELETE', `${list}/${ruleId}`)).status, 204);
  });

  it('log in to their project, within their access rules', async () => {
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
    assert.equal((await logIn('its secret')).status, 404);
  });

  it('have tokens that are exchanged for no other, and delegate nothing', async () => {
    for (const unrestricted of [false, true]) {
      const program = await tokenOf({ name: `program ${unrestricted}`, unrestricted });
      const own = await program.call('GET', '/identity/v3/auth/tokens', undefined, {
        'X-Subject-Token': program.token,
      });
      const { id } = own.body.token.application_credential;
      assert.deepEqual(own.body.token.application_credential, {
        id,
        name: `program ${unrestricted}`,
        restricted: !unrestricted,
      });

      const auth = { identity: { methods: ['token'], token: { id: program.token } } };
      assert.equal((await program.call('POST', '/identity/v3/auth/tokens', { auth })).status, 403);
      const trust = {
        trustor_user_id: demo.userId,
        trustee_user_id: gateway.userId,
        project_id: demo.projectId,
        roles: [{ name: 'member' }],
      };
      assert.equal((await program.call('POST', '/identity/v3/OS-TRUST/trusts', { trust })).status, 403);
      const another = create({ name: `another ${unrestricted}` }, program);
      assert.equal((await another).status, unrestricted ? 201 : 403);
      assert.equal((await program.call('DELETE', path(id))).status, unrestricted ? 204 : 403);
    }
  });

  it('have tokens with access rules, validated only for enforcing services', async () => {
    const rules = [{ service: 'compute', method: 'GET', path: '/**' }];
    const limited = await tokenOf({ access_rules: rules });
    const subject = { 'X-Subject-Token': limited.token };
    const enforcing = { ...subject, 'OpenStack-Identity-Access-Rules': '1.0' };
    const tokens = '/identity/v3/auth/tokens';

    assert.equal((await limited.call('GET', tokens, undefined, subject)).status, 404);
    assert.equal((await gateway.call('GET', tokens, undefined, subject)).status, 404);
    const { status, body } = await limited.call('GET', tokens, undefined, enforcing);
    assert.equal(status, 200);
    assert.equal(body.token.application_credential.access_rules.length, 1);
    assert.equal((await limited.call('DELETE', tokens, undefined, enforcing)).status, 401);
    assert.equal((await limited.call('GET', path())).status, 401);
    const auth = { identity: { methods: ['token'], token: { id: limited.token } } };
    assert.equal((await cloud.call('POST', tokens, { auth })).status, 404);
  });

  it('are rejected with a duplicate name, and with roles the user lacks', async () => {
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
