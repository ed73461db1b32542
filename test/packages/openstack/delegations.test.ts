import assert from 'node:assert/strict';
import { type Delegation, Delegations, type Identity, ServiceAccount } from '@gateway/openstack';
import { fixtureBody, mockUpstream, type Upstream } from '../../support/upstream.ts';
import { call, identityConfig, recordedIdentity, testCloud } from './cloud.ts';

const serviceUser = {
  username: 'gateway',
  userDomain: 'Default',
  projectName: 'service',
  projectDomain: 'Default',
};
const DAY_MS = 24 * 3_600_000;

describe('delegations', () => {
  let upstream: Upstream;
  let errors: unknown[];
  beforeEach(() => {
    upstream = mockUpstream();
    errors = [];
  });
  afterEach(() => upstream.close());

  function delegations(isConfigured = true): Delegations {
    const { openstack } = testCloud();
    const serviceAccount = new ServiceAccount(openstack, {
      serviceUser: isConfigured ? serviceUser : null,
      identity: identityConfig,
      secrets: { servicePassword: 'service-secret' },
    });
    return new Delegations({ openstack, serviceAccount, onCreateFailed: (error) => errors.push(error) });
  }

  function owner(lifeMs = 60_000): Identity {
    return { ...recordedIdentity(), token: 'owner', expiresAt: new Date(Date.now() + lifeMs).toISOString() };
  }

  function trust(lifeMs = DAY_MS): Delegation {
    const { projectId, userId } = owner();
    const expiresAt = new Date(Date.now() + lifeMs).toISOString();
    return { trustId: 't1', trustorId: userId, projectId, expiresAt };
  }

  /** The identity service issues this token to the service user; with `trustId`, for that trust. */
  function signsIn(
    token: string,
    { trustId, status = 201 }: { trustId?: string; status?: number } = {},
  ): void {
    const recorded = fixtureBody<object>('identity/token', 'token');
    const scope =
      trustId === undefined
        ? { project: { name: 'service', domain: { name: 'Default' } } }
        : { 'OS-TRUST:trust': { id: trustId } };
    upstream.reply('identity/token', {
      status,
      headers: { 'x-subject-token': token },
      body: {
        token: {
          ...recorded,
          user: { id: 'gateway-id', name: 'gateway', domain: { id: 'default', name: 'Default' } },
          expires_at: trust().expiresAt,
        },
      },
      requestBody: {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name: 'gateway', password: 'service-secret', domain: { name: 'Default' } } },
          },
          scope,
        },
      },
    });
  }

  function removal(token: string, status = 204): void {
    upstream.reply('identity/trust-remove', {
      path: '/v3/OS-TRUST/trusts/t1',
      status,
      body: status === 204 ? undefined : { error: { code: status, message: 'No.' } },
      requestHeaders: { 'x-auth-token': token },
    });
  }

  it("delegate the user's roles in their project to the service user, with an expiry", async () => {
    signsIn('service');
    let expiresAt = '';
    upstream.reply('identity/trust-create', {
      requestHeaders: { 'x-auth-token': 'owner' },
      requestBody: (body: { trust: Record<string, unknown> }) => {
        const { expires_at, ...rest } = body.trust;
        expiresAt = String(expires_at);
        assert.deepEqual(rest, {
          trustor_user_id: owner().userId,
          trustee_user_id: 'gateway-id',
          project_id: owner().projectId,
          impersonation: true,
          roles: owner().roles.map((name) => ({ name })),
        });
        return true;
      },
    });

    const made = await delegations().create(owner(), DAY_MS, call);

    assert.equal(made?.trustId, fixtureBody<{ id: string }>('identity/trust-create', 'trust').id);
    assert.match(expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const lifeMs = Date.parse(made?.expiresAt ?? '') - Date.now();
    assert.ok(lifeMs > DAY_MS - 120_000 && lifeMs <= DAY_MS, String(lifeMs));
    upstream.assertAllUsed();
  });

  it('are retried with another expiry after a conflict', async () => {
    signsIn('service');
    upstream
      .reply('identity/trust-create', {
        status: 409,
        body: { error: { code: 409, message: 'Duplicate entry' } },
      })
      .reply('identity/trust-create');

    assert.ok(await delegations().create(owner(), DAY_MS, call));
    upstream.assertAllUsed();
  });

  for (const status of [403, 404, 405, 500]) {
    it(`are null when the identity service answers ${status}`, async () => {
      signsIn('service');
      upstream.reply('identity/trust-create', { status, body: { error: { code: status, message: 'No.' } } });

      assert.equal(await delegations().create(owner(), DAY_MS, call), null);
      assert.equal(errors.length, 1);
    });
  }

  it('are null when the service user cannot authenticate, and without a service user', async () => {
    signsIn('service', { status: 401 });

    assert.equal(await delegations().create(owner(), DAY_MS, call), null);
    assert.equal(await delegations(false).create(owner(), DAY_MS, call), null);
    assert.equal(errors.length, 1);
    upstream.assertAllUsed();
  });

  it('are revoked with the token of their user', async () => {
    removal('owner');

    assert.equal(await delegations().revoke(trust(), owner(), call), true);
    upstream.assertAllUsed();
  });

  it('are revoked through the trust when that token is rejected or has expired', async () => {
    removal('owner', 401);
    signsIn('delegated', { trustId: 't1' });
    removal('delegated');
    assert.equal(await delegations().revoke(trust(), owner(), call), true);

    signsIn('delegated', { trustId: 't1' });
    removal('delegated');
    assert.equal(await delegations().revoke(trust(), owner(-1), call), true);
    upstream.assertAllUsed();
  });

  it('are revoked by the service account when the trust is rejected', async () => {
    signsIn('', { trustId: 't1', status: 401 });
    signsIn('service');
    removal('service');

    assert.equal(await delegations().revoke(trust(), owner(-1), call), true);
    upstream.assertAllUsed();
  });

  it('count as revoked when the trust does not exist, and without a request after their expiry', async () => {
    removal('owner', 404);

    assert.equal(await delegations().revoke(trust(), owner(), call), true);
    assert.equal(await delegations().revoke(trust(-1), owner(), call), true);
    upstream.assertAllUsed();
  });

  it('are reported as not revoked when no identity is allowed to revoke them', async () => {
    signsIn('delegated', { trustId: 't1', status: 403 });
    signsIn('service');
    removal('service', 403);

    assert.equal(await delegations().revoke(trust(), owner(-1), call), false);
    upstream.assertAllUsed();
  });

  it('throw when the identity service is unavailable', async () => {
    removal('owner', 500);

    await assert.rejects(delegations().revoke(trust(), owner(), call), { status: 502 });
  });
});
