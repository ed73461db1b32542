import assert from 'node:assert/strict';
import { passcodeAt } from '../../../apps/cloudsim/src/identity/totp.ts';
import { type ApiResponse, type Client, signIn, startTestCloud, type TestCloud } from './client.ts';

const TOKENS = '/identity/v3/auth/tokens';
/** The key of the test vectors of RFC 6238, in base32. */
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('simulated passcodes', () => {
  for (const [seconds, passcode] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    it(`are those of RFC 6238 at ${seconds}`, () => {
      assert.equal(passcodeAt(KEY, seconds * 1000), passcode);
    });
  }
});

describe('simulated users with a second factor', () => {
  let cloud: TestCloud;
  let demo: Client;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    await requireMethods([['password', 'totp']]);
    const credential = { type: 'totp', user_id: demo.userId, blob: KEY };
    const admin = await cloud.as('admin');
    assert.equal((await admin.call('POST', '/identity/v3/credentials', { credential })).status, 201);
  });
  afterEach(() => cloud.close());

  async function requireMethods(rules: string[][], isEnabled = true): Promise<void> {
    const admin = await cloud.as('admin');
    const options = { multi_factor_auth_enabled: isEnabled, multi_factor_auth_rules: rules };
    const changed = await admin.call('PATCH', `/identity/v3/users/${demo.userId}`, { user: { options } });
    assert.deepEqual([changed.status, changed.body.user.options], [200, options]);
  }

  const withPassword = () => cloud.call('POST', TOKENS, signIn('demo', 'demo-secret', 'demo'));

  function withPasscode(
    receipt: string | null,
    passcode: string,
    userId = demo.userId,
  ): Promise<ApiResponse> {
    const identity = { methods: ['totp'], totp: { user: { id: userId, passcode } } };
    const scope = { project: { name: 'demo', domain: { id: 'default' } } };
    return cloud.call(
      'POST',
      TOKENS,
      { auth: { identity, scope } },
      receipt === null ? undefined : { 'Openstack-Auth-Receipt': receipt },
    );
  }

  const current = () => passcodeAt(KEY, cloud.clock.now());

  it('get a receipt for the password, then a token', async () => {
    const first = await withPassword();
    const receipt = first.headers.get('openstack-auth-receipt');
    const second = await withPasscode(receipt, current());

    assert.equal(first.status, 401);
    assert.equal(first.headers.get('x-subject-token'), null);
    assert.deepEqual(first.body.required_auth_methods, [['password', 'totp']]);
    assert.deepEqual(first.body.receipt.methods, ['password']);
    assert.deepEqual(first.body.receipt.user.id, demo.userId);
    assert.equal(first.body.receipt.expires_at, '2026-01-01T00:05:00.000000Z');
    assert.equal(second.status, 201);
    assert.deepEqual(second.body.token.methods.sort(), ['password', 'totp']);
  });

  it('get another receipt for the passcode alone', async () => {
    const { body, status } = await withPasscode(null, current());

    assert.equal(status, 401);
    assert.deepEqual(body.receipt.methods, ['totp']);
  });

  it('may repeat a passcode, and use the one before', async () => {
    const receipt = (await withPassword()).headers.get('openstack-auth-receipt');
    const passcode = current();

    const statuses = [];
    for (const seconds of [0, 0, 30, 30]) {
      cloud.clock.advance(seconds * 1000);
      statuses.push((await withPasscode(receipt, passcode)).status);
    }

    assert.deepEqual(statuses, [201, 201, 201, 401]);
  });

  it('are refused with a wrong passcode, or with an invalid receipt', async () => {
    const receipt = (await withPassword()).headers.get('openstack-auth-receipt');
    const wrong = await withPasscode(receipt, current() === '000000' ? '000001' : '000000');
    const unknown = await withPasscode('gAAAAAunknown', current());
    cloud.clock.advance(300_000);
    const late = await withPasscode(receipt, current());

    assert.deepEqual([wrong.status, unknown.status, late.status], [401, 401, 401]);
    assert.equal(wrong.body.error.message, 'The request you have made requires authentication.');
    assert.equal(unknown.body.error.message, 'Could not find auth receipt: gAAAAAunknown.');
    assert.equal(late.body.error.message, `Could not find auth receipt: ${receipt}.`);
  });

  it('need no other method without rules that apply', async () => {
    await requireMethods([['password', 'totp']], false);
    const off = await withPassword();
    await requireMethods([['password', 'palm']]);
    const unknown = await withPassword();

    assert.deepEqual([off.status, unknown.status], [201, 201]);
  });

  it('need a rule of their own for application credentials', async () => {
    const created = await demo.call('POST', `/identity/v3/users/${demo.userId}/application_credentials`, {
      application_credential: { name: 'program' },
    });
    const { id, secret } = created.body.application_credential;
    const logIn = (text: string) =>
      cloud.call('POST', TOKENS, {
        auth: {
          identity: { methods: ['application_credential'], application_credential: { id, secret: text } },
        },
      });

    const refused = await logIn(secret);
    const wrong = await logIn('wrong');
    await requireMethods([['totp', 'application_credential']]);
    const partly = await logIn(secret);
    await requireMethods([['password', 'totp'], ['application_credential']]);
    const accepted = await logIn(secret);

    assert.deepEqual([refused.status, wrong.status, partly.status, accepted.status], [401, 401, 401, 201]);
    assert.match(refused.headers.get('openstack-auth-receipt') ?? '', /^gAAAA/);
    assert.deepEqual(refused.body.receipt.methods, ['application_credential']);
    assert.deepEqual(refused.body.required_auth_methods, []);
    assert.equal(wrong.body.error.message, 'The request you have made requires authentication.');
    assert.equal(wrong.headers.get('openstack-auth-receipt'), null);
    assert.deepEqual(partly.body.required_auth_methods, [['totp', 'application_credential']]);
  });

  it('keep their keys from other members', async () => {
    const alice = await cloud.as('alice');
    const path = `/identity/v3/credentials?user_id=${demo.userId}&type=totp`;

    const own = await demo.call('GET', path);
    const others = await alice.call('GET', path);
    const { id } = own.body.credentials[0];

    assert.deepEqual([own.body.credentials[0].blob, others.body.credentials], [KEY, []]);
    assert.equal((await alice.call('DELETE', `/identity/v3/credentials/${id}`)).status, 403);
    assert.equal((await demo.call('DELETE', `/identity/v3/credentials/${id}`)).status, 204);
    assert.equal((await withPasscode(null, current())).status, 401);
  });
});

describe('simulated passwords that have expired', () => {
  let cloud: TestCloud;
  let userId: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    await cloud.call('POST', '/_control/settings', { changePasswordUponFirstUse: true });
    const admin = await cloud.as('admin');
    const user = { name: 'new', password: 'first-secret' };
    userId = (await admin.call('POST', '/identity/v3/users', { user })).body.user.id;
  });
  afterEach(() => cloud.close());

  const change = (original_password: string) =>
    cloud.call('POST', `/identity/v3/users/${userId}/password`, {
      user: { original_password, password: 'second-secret' },
    });

  it('are refused with the id of the user', async () => {
    const right = await cloud.call('POST', TOKENS, signIn('new', 'first-secret'));
    const wrong = await cloud.call('POST', TOKENS, signIn('new', 'wrong'));

    assert.deepEqual([right.status, wrong.status], [401, 401]);
    assert.equal(
      right.body.error.message,
      `The password is expired and needs to be changed for user: ${userId}.`,
    );
    assert.equal(wrong.body.error.message, 'The request you have made requires authentication.');
  });

  it('can be changed by the user without a token', async () => {
    assert.equal((await change('wrong')).status, 401);
    assert.equal((await change('first-secret')).status, 204);
    assert.equal((await cloud.call('POST', TOKENS, signIn('new', 'second-secret'))).status, 201);
  });
});
