import assert from 'node:assert/strict';
import { type Client, signIn, startTestCloud, type TestCloud } from './client.ts';

const TOKENS = '/identity/v3/auth/tokens';
const TRUSTS = '/identity/v3/OS-TRUST/trusts';

/** The responses match those of the real identity service (release Zed). */
describe('trusts of the simulated cloud', () => {
  let cloud: TestCloud;
  let demo: Client;
  let gateway: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    gateway = await cloud.as('gateway', 'service');
  });
  afterEach(() => cloud.close());

  async function trust(change: object = {}, as = demo) {
    return as.call('POST', TRUSTS, {
      trust: {
        trustor_user_id: demo.userId,
        trustee_user_id: gateway.userId,
        project_id: demo.projectId,
        impersonation: true,
        roles: [{ name: 'member' }, { name: 'reader' }],
        expires_at: '2026-01-01T01:00:00.000000Z',
        ...change,
      },
    });
  }

  function through(id: string, user = 'gateway') {
    const { auth } = signIn(user, `${user}-secret`) as { auth: object };
    return cloud.call('POST', TOKENS, { auth: { ...auth, scope: { 'OS-TRUST:trust': { id } } } });
  }

  it('let the trustee act as the trustor, and delete the trust', async () => {
    const { id } = (await trust()).body.trust;
    const signedIn = await through(id);
    const token = { 'X-Auth-Token': signedIn.headers.get('x-subject-token') ?? '' };

    assert.deepEqual(
      [signedIn.body.token.user.id, signedIn.body.token.project.id],
      [demo.userId, demo.projectId],
    );
    assert.equal((await cloud.call('DELETE', `${TRUSTS}/${id}`, undefined, token)).status, 204);
    assert.equal((await cloud.call('GET', '/compute/v2.1/servers', undefined, token)).status, 401);
    assert.equal((await demo.call('DELETE', `${TRUSTS}/${id}`)).status, 404);
    assert.equal((await through(id)).status, 401);
  });

  it('conflict with an equal trust, even deleted, with the same microsecond', async () => {
    const { id } = (await trust()).body.trust;
    assert.equal((await trust()).status, 409);
    await demo.call('DELETE', `${TRUSTS}/${id}`);

    assert.equal((await trust()).status, 409);
    assert.equal((await trust({ expires_at: '2026-01-01T01:00:00.500000Z' })).status, 201);
  });

  it('are rejected without roles, with missing roles, past expiry, or another trustor', async () => {
    assert.equal((await trust({ roles: [] })).status, 403);
    assert.equal((await trust({ roles: [{ name: 'admin' }] })).status, 404);
    assert.equal((await trust({ expires_at: '2025-01-01T00:00:00.000000Z' })).status, 400);
    assert.equal((await trust({ trustor_user_id: gateway.userId })).status, 403);
    assert.equal((await trust({ trustee_user_id: 'nobody' })).status, 404);
  });

  it("cannot be created or rescoped with a trust's token", async () => {
    const { id } = (await trust()).body.trust;
    const token = (await through(id)).headers.get('x-subject-token') ?? '';
    const identity = { methods: ['token'], token: { id: token } };
    const scope = { project: { id: demo.projectId } };
    const delegated = {
      ...demo,
      call: (m: string, p: string, b?: unknown) => cloud.call(m, p, b, { 'X-Auth-Token': token }),
    };

    assert.equal((await trust({ expires_at: '2026-01-01T02:00:00.000000Z' }, delegated)).status, 403);
    assert.equal((await cloud.call('POST', TOKENS, { auth: { identity, scope } })).status, 403);
  });

  it('expire, while tokens that were issued for them remain valid', async () => {
    const { id } = (await trust()).body.trust;
    const token = { 'X-Auth-Token': (await through(id)).headers.get('x-subject-token') ?? '' };

    cloud.clock.advance(3_600_000);

    assert.equal((await through(id)).status, 401);
    assert.equal((await demo.call('GET', `${TRUSTS}/${id}`)).status, 404);
    assert.equal((await demo.call('DELETE', `${TRUSTS}/${id}`)).status, 404);
    assert.equal((await cloud.call('GET', '/compute/v2.1/servers', undefined, token)).status, 200);
  });

  it('are inaccessible to a third user', async () => {
    const { id } = (await trust()).body.trust;
    const alice = await cloud.as('alice');

    assert.equal((await alice.call('DELETE', `${TRUSTS}/${id}`)).status, 403);
    assert.equal((await through(id, 'alice')).status, 403);
  });
});
