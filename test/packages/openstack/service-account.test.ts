import assert from 'node:assert/strict';
import {
  isCredentialRejected,
  type Openstack,
  ServiceAccount,
  ServiceUserRefusedError,
} from '@gateway/openstack';
import {
  fixtureBody,
  mockUpstream,
  type ReplyOptions,
  type Upstream,
} from '../../support/doubles/upstream.ts';
import { call, identityConfig, testCloud } from './cloud.ts';

const config = {
  serviceUser: {
    username: 'gateway',
    userDomain: 'Default',
    projectName: 'service',
    projectDomain: 'Default',
  },
  identity: identityConfig,
  secrets: { servicePassword: 'service-secret' },
};
const HOUR_MS = 3_600_000;

describe('the service account', () => {
  let upstream: Upstream;
  let openstack: Openstack;
  let now: number;
  const clock = { now: () => now };
  beforeEach(() => {
    upstream = mockUpstream();
    ({ openstack } = testCloud());
    now = Date.UTC(2026, 0, 1);
  });
  afterEach(() => upstream.close());

  function account(): ServiceAccount {
    return new ServiceAccount(openstack, config, clock);
  }

  /** The identity service issues this token with these roles and lifetime. */
  function issues(token: string, { lifeMs = HOUR_MS, roles = ['admin'], ...options }: Issued = {}): void {
    const recorded = fixtureBody<object>('identity/token', 'token');
    const body = {
      token: {
        ...recorded,
        expires_at: new Date(now + lifeMs).toISOString(),
        roles: roles.map((name) => ({ id: name, name })),
      },
    };
    upstream.reply('identity/token', { headers: { 'x-subject-token': token }, body, ...options });
  }

  it('authenticates once for concurrent callers, and again before the token expires', async () => {
    issues('first');
    const gateway = account();

    const both = await Promise.all([gateway.identity(call), gateway.identity(call)]);
    now += HOUR_MS - 6 * 60_000;
    const later = await gateway.identity(call);
    issues('second');
    now += 2 * 60_000;
    const renewed = await gateway.identity(call);

    assert.deepEqual(
      [...both, later, renewed].map((identity) => identity?.token),
      ['first', 'first', 'first', 'second'],
    );
    upstream.assertAllUsed();
  });

  it('uses a short-lived token for most of its lifetime', async () => {
    issues('first', { lifeMs: 4000 });
    const gateway = account();

    await gateway.identity(call);
    now += 2900;
    const late = await gateway.identity(call);
    issues('second', { lifeMs: 4000 });
    now += 200;
    const renewed = await gateway.identity(call);

    assert.deepEqual([late?.token, renewed?.token], ['first', 'second']);
  });

  it('authenticates again when a service rejects its token', async () => {
    issues('first');
    upstream.reply('compute/servers', { status: 401, body: {}, requestHeaders: { 'x-auth-token': 'first' } });
    issues('second');
    upstream.reply('compute/servers', { requestHeaders: { 'x-auth-token': 'second' } });

    const client = await account().bind(call);
    await client?.compute.servers.list();

    upstream.assertAllUsed();
  });

  it('authenticates for all waiting callers, even if the first one aborts', async () => {
    const abort = new AbortController();
    issues('first');
    const gateway = account();

    const first = gateway.identity({ ...call, signal: abort.signal });
    abort.abort(new Error('Given up.'));

    assert.equal((await gateway.identity(call))?.token, 'first');
    assert.equal((await first)?.token, 'first');
  });

  it('retries after a failed authentication', async () => {
    upstream.reply('identity/token', { status: 503, body: {}, times: 3 });
    const gateway = account();

    await assert.rejects(gateway.identity(call), { status: 502 });
    issues('second');

    assert.equal((await gateway.identity(call))?.token, 'second');
  });

  it('reports the results of log-ins to its own project only', async () => {
    const outcomes: string[] = [];
    const gateway = new ServiceAccount(openstack, config, clock, {
      onLogIn: (outcome) => outcomes.push(outcome),
    });

    upstream.reply('identity/token', { status: 503, body: {}, times: 3 });
    await assert.rejects(gateway.identity(call));
    upstream.reply('identity/token', { status: 401, body: {} });
    await assert.rejects(gateway.identity(call));
    now += 10_000;
    issues('first');
    await gateway.identity(call);
    await gateway.identity(call);
    upstream.reply('identity/token', { status: 503, body: {}, times: 3 });
    await assert.rejects(gateway.identityFromTrust('t1', call));

    assert.deepEqual(outcomes, ['failed', 'refused', 'succeeded']);
  });

  it('distinguishes a lost trust from its own refusal', async () => {
    upstream.reply('identity/token', { status: 401, body: {} });
    issues('own');
    const gateway = account();
    await assert.rejects(gateway.identityFromTrust('t1', call), isCredentialRejected);

    upstream.reply('identity/token', { status: 401, body: {}, times: 2 });
    await assert.rejects(gateway.identityFromTrust('t1', call), ServiceUserRefusedError);

    upstream.assertAllUsed();
  });

  it('asks at most every ten seconds while it is refused', async () => {
    upstream.reply('identity/token', { status: 401, body: {} });
    const gateway = account();

    await assert.rejects(gateway.identity(call), ServiceUserRefusedError);
    now += 9_999;
    await assert.rejects(gateway.identityFromTrust('t1', call), ServiceUserRefusedError);
    await assert.rejects(gateway.identity(call), ServiceUserRefusedError);
    upstream.assertAllUsed();
    now += 1;
    issues('first');

    assert.equal((await gateway.identity(call))?.token, 'first');
  });

  it('asks again once a clock that was ahead is corrected', async () => {
    upstream.reply('identity/token', { status: 401, body: {} });
    const gateway = account();
    await assert.rejects(gateway.identity(call), ServiceUserRefusedError);
    now -= HOUR_MS;
    issues('first');

    assert.equal((await gateway.identity(call))?.token, 'first');
  });

  it('acts for another project if it is an administrator', async () => {
    issues('first');

    const identity = await account().identityForProject('p1', call);

    assert.equal(identity?.actingForProjectId, 'p1');
  });

  it('acts for no project without the role that shows its resources', async () => {
    issues('first', { roles: ['member', 'service'] });

    assert.equal(await account().identityForProject('p1', call), null);
  });

  it('authenticates with a trust, without a project', async () => {
    issues('delegated', {
      requestBody: {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name: 'gateway', password: 'service-secret', domain: { name: 'Default' } } },
          },
          scope: { 'OS-TRUST:trust': { id: 't1' } },
        },
      },
    });

    assert.equal((await account().identityFromTrust('t1', call)).token, 'delegated');
  });

  it('is null if none is configured', async () => {
    const none = new ServiceAccount(openstack, { ...config, serviceUser: null }, clock);

    assert.deepEqual(
      [
        none.isConfigured,
        await none.identity(call),
        await none.bind(call),
        await none.identityForProject('p1', call),
      ],
      [false, null, null, null],
    );
  });
});

interface Issued extends ReplyOptions {
  lifeMs?: number;
  roles?: string[];
}
