import assert from 'node:assert/strict';
import { isCredentialRejected, isRefusedByMultiFactorRules } from '@gateway/openstack';
import type { ReplyOptions } from '../../support/doubles/upstream.ts';
import { fixture, fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud, token } from './cloud.ts';

const login = { username: 'demo', password: 'secret-word', domain: { name: 'Default' } };
const projectId = recordedIdentity().projectId;
const receipt = 'gAAAAABreceipt';
const withReceipt = {
  headers: { 'openstack-auth-receipt': receipt },
  body: {
    receipt: { methods: ['password'], user: { id: 'u-1' }, expires_at: '2026-01-01T00:05:00.000000Z' },
    required_auth_methods: [['password', 'totp']],
  },
};

describe('the identity service', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => upstream.close());

  function tokens() {
    return testCloud().openstack.identity;
  }
  function issued(options: ReplyOptions = {}): ReplyOptions {
    return { headers: { 'x-subject-token': token }, ...options };
  }

  it('returns an identity for a password and a project', async () => {
    upstream.reply(
      'identity/token',
      issued({
        requestBody: {
          auth: {
            identity: {
              methods: ['password'],
              password: { user: { name: 'demo', password: 'secret-word', domain: { name: 'Default' } } },
            },
            scope: { project: { name: 'demo2', domain: { name: 'Default' } } },
          },
        },
      }),
    );

    const identity = await tokens().authenticate(
      { ...login, project: { name: 'demo2', domain: { name: 'Default' } } },
      call,
    );

    assert.deepEqual(identity, recordedIdentity());
    assert.equal(identity.endpoints.blockStorage, `http://127.0.0.1:8776/v3/${projectId}`);
    upstream.assertAllUsed();
  });

  it('returns an identity without a project if there is no default', async () => {
    upstream.reply('identity/token-unscoped', issued());

    const identity = await tokens().authenticate(login, call);

    assert.deepEqual([identity.projectId, identity.projectName, identity.roles], ['', '', []]);
    assert.equal(identity.endpoints.identity, 'http://127.0.0.1:5000/v3');
    assert.equal(identity.endpoints.compute, undefined);
  });

  it("returns the chain's first audit id, or an empty string", async () => {
    const [own, first] = fixtureBody<{ audit_ids: string[] }>('identity/token-rescope', 'token').audit_ids;
    const { audit_ids: _, ...withoutIds } = fixtureBody<{ audit_ids: string[] }>('identity/token', 'token');
    upstream
      .reply('identity/token-rescope', issued())
      .reply('identity/token', issued({ body: { token: withoutIds } }));

    const exchanged = await tokens().rescope('another', projectId, call);
    const bare = await tokens().authenticate(login, call);

    assert.notEqual(own, first);
    assert.deepEqual([exchanged.chainId, bare.chainId], [first, '']);
  });

  it('counts an invalid token as revoked, but not after another error', async () => {
    for (const status of [401, 404]) {
      upstream.reply('identity/token-unknown', { method: 'DELETE', status });
      await tokens().revoke(token, call);
    }
    upstream.reply('identity/token-unknown', { method: 'DELETE', status: 403 });
    await assert.rejects(tokens().revoke(token, call), { status: 403 });
    upstream.assertAllUsed();
  });

  it('issues a token for an application credential', async () => {
    const credential = { id: 'the-id', secret: 'its-secret' };
    const requestBody = {
      auth: { identity: { methods: ['application_credential'], application_credential: credential } },
    };
    upstream.reply('identity/token', issued({ requestBody }));

    assert.deepEqual(await tokens().authenticateApplicationCredential(credential, call), recordedIdentity());
    upstream.reply('identity/token-wrong-password', { status: 401 });
    await assert.rejects(tokens().authenticateApplicationCredential(credential, call), {
      status: 401,
      message: 'The application credential is not valid.',
    });
  });

  it('says who can permit application credentials despite multi-factor rules', async () => {
    upstream.reply('identity/token-wrong-password', withReceipt);

    await assert.rejects(
      tokens().authenticateApplicationCredential({ id: 'c', secret: 's' }, call),
      (thrown) =>
        isRefusedByMultiFactorRules(thrown) &&
        isCredentialRejected(thrown) &&
        thrown.status === 403 &&
        /add the rule \["application_credential"\]/.test(thrown.message),
    );
  });

  it('issues a token for a trust', async () => {
    const user = { name: 'demo', password: 'secret-word', domain: { name: 'Default' } };
    upstream.reply(
      'identity/token',
      issued({
        requestBody: {
          auth: {
            identity: { methods: ['password'], password: { user } },
            scope: { 'OS-TRUST:trust': { id: 'trust-id' } },
          },
        },
      }),
    );

    await tokens().authenticate({ ...login, trustId: 'trust-id' }, call);

    upstream.assertAllUsed();
  });

  it('answers the same to all wrong credentials', async () => {
    upstream.reply('identity/token-wrong-password');

    await assert.rejects(tokens().authenticate(login, call), {
      status: 401,
      code: 'unauthorized',
      message: 'The user name, password, domain or project is wrong.',
    });
  });

  it('returns a receipt if the password is not sufficient', async () => {
    upstream.reply('identity/token-wrong-password', withReceipt);

    assert.deepEqual(await tokens().logIn(login, call), {
      receipt,
      userId: 'u-1',
      methods: ['password'],
      requiredMethods: [['password', 'totp']],
      expiresAt: '2026-01-01T00:05:00.000000Z',
    });
    upstream.reply('identity/token-wrong-password', withReceipt);
    await assert.rejects(tokens().authenticate(login, call), {
      status: 401,
      message: 'The user has to log in with more than one method.',
    });
  });

  it('is a 502 if its receipt is not complete', async () => {
    upstream.reply('identity/token-wrong-password', { ...withReceipt, body: { error: { code: 401 } } });

    await assert.rejects(tokens().logIn(login, call), { status: 502 });
  });

  it('reports an invalid receipt without quoting it', async () => {
    const message = `Could not find auth receipt: ${receipt}.`;
    upstream.reply('identity/token-wrong-password', { body: { error: { code: 401, message } } });

    await assert.rejects(tokens().continueLogIn({ receipt, userId: 'u-1', passcode: '123456' }, call), {
      code: 'invalid_receipt',
      upstreamMessage: 'Could not find auth receipt: ….',
    });
  });

  it('that is unavailable is a 503, never a 401', async () => {
    upstream.reply('identity/token', { fault: 'ECONNREFUSED', times: 3 });

    await assert.rejects(tokens().authenticate(login, call), { status: 503 });
  });

  it('returns the identity of a token', async () => {
    upstream.reply('identity/token-validate', {
      requestHeaders: { 'x-auth-token': token, 'x-subject-token': token },
    });

    const identity = await tokens().validate(token, call);

    assert.deepEqual([identity.token, identity.projectId], [token, projectId]);
    upstream.assertAllUsed();
  });

  for (const status of [401, 404]) {
    it(`turns its ${status} to an unknown token into a 401`, async () => {
      upstream.reply('identity/token-unknown', { status });

      await assert.rejects(tokens().validate(token, call), { status: 401, code: 'unauthorized' });
    });
  }

  it('does not take the 404 of a proxy for an unknown token', async () => {
    upstream.reply('identity/token-unknown', { status: 404, body: '<html>404 Not Found</html>', times: 3 });

    await assert.rejects(tokens().validate(token, call), { status: 502 });
  });

  it('issues a token for another project', async () => {
    upstream.reply(
      'identity/token-rescope',
      issued({
        requestBody: {
          auth: {
            identity: { methods: ['token'], token: { id: token } },
            scope: { project: { id: projectId } },
          },
        },
      }),
    );

    const identity = await tokens().rescope(token, projectId, call);

    assert.equal(identity.projectId, projectId);
    upstream.assertAllUsed();
  });

  it('responds 403 without access, and 401 to an invalid token', async () => {
    upstream.reply('identity/token-no-access').reply('identity/token-unreadable');

    await assert.rejects(tokens().rescope(token, projectId, call), { status: 403, code: 'forbidden' });
    await assert.rejects(tokens().rescope('unreadable', projectId, call), { status: 401 });
    upstream.assertAllUsed();
  });

  it('reports that a token of this kind is exchanged for no project', async () => {
    const message =
      'Using a system-scoped token to create a project-scoped or domain-scoped token is not allowed.';
    const body = { error: { code: 403, message, title: 'Forbidden' } };
    upstream.reply('identity/token-no-access', { status: 403, body });

    await assert.rejects(tokens().rescope(token, projectId, call), {
      status: 403,
      code: 'forbidden',
      message: /exchanges no token of this kind/,
    });
    upstream.assertAllUsed();
  });

  it('that responds without a token is a 502', async () => {
    upstream.reply('identity/token', { headers: { 'x-subject-token': '' } });

    await assert.rejects(tokens().authenticate(login, call), { status: 502 });
  });

  it('lists the projects of the user, and reads the user', async () => {
    const { userId } = recordedIdentity();
    upstream.reply('identity/projects-mine').reply('identity/user');
    const { identity } = testCloud().mine();

    const projects = await identity.projects.listMine();
    const user = await identity.users.get(userId);

    assert.ok(projects.some(({ id }) => id === projectId));
    assert.equal(user.name, 'demo');
    upstream.assertAllUsed();
  });

  it('answers 401 to a wrong current password', async () => {
    upstream.reply('identity/password-wrong', {
      requestBody: { user: { original_password: 'a', password: 'b' } },
    });
    const userId = fixture('identity/password-wrong').request.path.split('/').at(-2) ?? '';

    const change = testCloud().mine().identity.users.changePassword(userId, { current: 'a', new: 'b' });

    await assert.rejects(change, { status: 401 });
    upstream.assertAllUsed();
  });

  it('creates and revokes a trust', async () => {
    upstream.reply('identity/trust-create').reply('identity/trust-remove');
    const { trusts } = testCloud().mine().identity;

    const trust = await trusts.create({
      trustor_user_id: 'a',
      trustee_user_id: 'b',
      project_id: projectId,
      impersonation: true,
      roles: [{ name: 'member' }],
    });
    await trusts.remove(trust.id);

    assert.equal(trust.project_id, projectId);
    upstream.assertAllUsed();
  });
});
