import assert from 'node:assert/strict';
import {
  type Delegation,
  Delegations,
  type Identity,
  rolesToDelegate,
  ServiceAccount,
} from '@gateway/openstack';
import { fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
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
  let outcomes: string[];
  beforeEach(() => {
    upstream = mockUpstream();
    outcomes = [];
  });
  afterEach(() => upstream.close());

  function delegations(isConfigured = true): Delegations {
    const { openstack } = testCloud();
    const serviceAccount = new ServiceAccount(openstack, {
      serviceUser: isConfigured ? serviceUser : null,
      identity: identityConfig,
      secrets: { servicePassword: 'service-secret' },
    });
    return new Delegations({ openstack, serviceAccount, onOutcome: (outcome) => outcomes.push(outcome) });
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

  const announced: string[] = [];
  const asked = {
    roles: ['member'],
    lifetimeMs: DAY_MS,
    beforeCreate: async (expiresAt: string) => void announced.push(expiresAt),
  };

  describe('of which the service user sees', () => {
    function sees(trustIds: string[], userStatus?: number): void {
      signsIn('service');
      const trusts = trustIds.map((id) => ({ id, trustee_user_id: 'gateway-id' }));
      upstream.reply('identity/token-validate', {
        path: '/v3/OS-TRUST/trusts?trustee_user_id=gateway-id',
        body: { trusts, links: {} },
      });
      if (userStatus === undefined) return;
      upstream.reply('identity/token-validate', {
        path: `/v3/users/${trust().trustorId}`,
        status: userStatus,
        body: userStatus === 200 ? { user: { id: trust().trustorId } } : { error: { message: 'No.' } },
      });
    }

    for (const [what, trustIds, userStatus, isRevoked] of [
      ['the trust: is not revoked', ['t0', 't1'], undefined, false],
      ['only the user: is revoked', ['t0'], 200, true],
      ['neither trust nor user: has ended with the account', [], 404, false],
    ] as const) {
      it(what, async () => {
        sees([...trustIds], userStatus);

        assert.equal(await delegations().isRevoked(trust(), call), isRevoked);
        upstream.assertAllUsed();
      });
    }

    it('nothing, because it is over: is not revoked', async () => {
      assert.equal(await delegations().isRevoked(trust(-1), call), false);
      assert.equal(await delegations(false).isRevoked(trust(), call), false);
    });
  });

  it("delegate the user's roles to the service user, with expiry", async () => {
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
          roles: [{ name: 'member' }],
        });
        return true;
      },
    });

    const { delegation: made } = await delegations().create(owner(), asked, call);

    assert.deepEqual(outcomes, ['created']);
    assert.equal(made?.trustId, fixtureBody<{ id: string }>('identity/trust-create', 'trust').id);
    assert.match(expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const lifeMs = Date.parse(made?.expiresAt ?? '') - Date.now();
    assert.ok(lifeMs > DAY_MS / 2 - 60_000 && lifeMs <= DAY_MS, String(lifeMs));
    assert.equal(announced.at(-1), expiresAt);
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

    const known = announced.length;
    assert.ok((await delegations().create(owner(), asked, call)).delegation);
    assert.deepEqual(outcomes, ['created']);
    assert.equal(new Set(announced.slice(known)).size, 2);
    upstream.assertAllUsed();
  });

  for (const [status, origin, cause] of [
    [403, undefined, 'refused'],
    [404, undefined, 'refused'],
    [405, undefined, 'refused'],
    [403, 'application_credential', 'application_credential'],
    [404, 'single_sign_on', 'single_sign_on'],
    [500, undefined, 'failed'],
    [500, 'application_credential', 'failed'],
  ] as const) {
    it(`say why there is none when the identity service answers ${status} (${origin ?? 'a user'})`, async () => {
      signsIn('service');
      upstream.reply('identity/trust-create', { status, body: { error: { code: status, message: 'No.' } } });

      const answer = await delegations().create({ ...owner(), origin }, asked, call);

      assert.deepEqual([answer, outcomes], [{ undelegated: cause }, [cause]]);
    });
  }

  it('failed without a refusal if a proxy responds', async () => {
    signsIn('service');
    upstream.reply('identity/trust-create', { status: 404, body: '<html>Not Found</html>' });

    assert.deepEqual(await delegations().create(owner(), asked, call), { undelegated: 'failed' });
  });

  it("are a 401 if the user's token is rejected after a log-out", async () => {
    signsIn('service');
    upstream.reply('identity/trust-create', { status: 401, body: { error: { code: 401, message: 'No.' } } });

    await assert.rejects(delegations().create(owner(), asked, call), { status: 401 });

    assert.deepEqual(outcomes, []);
  });

  it('leave out the role of administrators unless there is no other', () => {
    assert.deepEqual(rolesToDelegate({ roles: ['admin', 'member', 'reader'] }, 'admin'), [
      'member',
      'reader',
    ]);
    assert.deepEqual(rolesToDelegate({ roles: ['admin'] }, 'admin'), ['admin']);
  });

  it('say when the service user cannot authenticate, and when there is none', async () => {
    signsIn('service', { status: 401 });

    assert.deepEqual(await delegations().create(owner(), asked, call), { undelegated: 'failed' });
    assert.deepEqual(await delegations(false).create(owner(), asked, call), {
      undelegated: 'no_service_user',
    });
    assert.deepEqual(outcomes, ['failed']);
    upstream.assertAllUsed();
  });

  it('are revoked with the token of their user', async () => {
    removal('owner');

    assert.equal(await delegations().revoke(trust(), owner(), call), true);
    upstream.assertAllUsed();
  });

  it('are revoked through the trust if that token is rejected', async () => {
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

  it('count as revoked without their trust, and after their expiry', async () => {
    removal('owner', 404);

    assert.equal(await delegations().revoke(trust(), owner(), call), true);
    assert.equal(await delegations().revoke(trust(-1), owner(), call), true);
    upstream.assertAllUsed();
  });

  it('are reported as unrevoked if no identity may revoke them', async () => {
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
