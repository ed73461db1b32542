import assert from 'node:assert/strict';
import { readQueued } from '@gateway/jobs';
import type { DelegatedIdentity } from '@gateway/openstack';
import { enqueueWithDelegation } from '../../../apps/api/src/flows/enqueue-with-delegation.ts';
import { expiryIn, instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';
import { fixtureBody } from '../../support/upstream.ts';

const settings = {
  service_user: { username: 'gateway', project_name: 'service' },
  jobs: { delegate_below_seconds: 3600 },
};
const trustId = fixtureBody<{ id: string }>('identity/trust-create', 'trust').id;

describe("a job whose caller's token may expire before its end", () => {
  const suite = apiSuite();

  /** A caller whose token expires in `seconds`. */
  function callerFor(seconds: number): TestCaller {
    return suite.cloud.validCaller(newCaller({ expiresAt: expiryIn(seconds * 1000) }));
  }

  function serviceUserSignsIn(): void {
    const gateway = newCaller({ userId: 'gateway-id', userName: 'gateway', roles: ['admin'] });
    suite.cloud.acceptsLogIn(gateway);
  }

  /** Requests an instance, and returns the credential of its job. */
  async function credentialOf(api: TestApi, caller: TestCaller): Promise<DelegatedIdentity | null> {
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    stream.close();
    const queued = await readQueued(api.context.redis.store, String(stream.headers.get('x-job-id')));
    return api.context.credentials.get(queued?.credentialHandle ?? '');
  }

  it('gets a delegation, which is stored sealed until it expires', async () => {
    const api = await suite.start({ settings });
    const caller = callerFor(600);
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', {
      requestHeaders: { 'x-auth-token': caller.token },
      requestBody: ({ trust }: { trust: Record<string, unknown> }) =>
        trust.trustor_user_id === caller.userId && trust.trustee_user_id === 'gateway-id',
    });

    const credential = await credentialOf(api, caller);

    assert.equal(credential?.delegation?.trustId, trustId);
    const stored = (await allStoredData(api)).join('\n');
    assert.equal(stored.includes(trustId), false);
    const [key = ''] = (await api.context.redis.queue.keys('*credential*')).filter((name) =>
      name.includes(api.keyPrefix),
    );
    const expiresAt = await api.context.redis.queue.pexpiretime(key);
    assert.equal(expiresAt, Date.parse(credential?.delegation?.expiresAt ?? ''));
  });

  it('gets no delegation if the token lives longer', async () => {
    const api = await suite.start({ settings });

    const credential = await credentialOf(api, callerFor(3700));

    assert.ok(credential);
    assert.equal(credential.delegation, undefined);
  });

  it('gets no delegation if delegations are switched off, or without a service user', async () => {
    const off = await suite.start({ settings: { ...settings, jobs: { delegate_below_seconds: 0 } } });
    const none = await suite.start();

    assert.equal((await credentialOf(off, callerFor(60)))?.delegation, undefined);
    assert.equal((await credentialOf(none, callerFor(60)))?.delegation, undefined);
  });

  it('gets no delegation if the cloud refuses to delegate', async () => {
    const api = await suite.start({ settings });
    const caller = callerFor(600);
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', {
      status: 403,
      body: { error: { code: 403, message: 'No.' } },
    });

    const credential = await credentialOf(api, caller);

    assert.ok(credential);
    assert.equal(credential.delegation, undefined);
    assert.equal(
      api.log.withMessage('Failed to create a delegation; the job is enqueued without it').length,
      1,
    );
  });

  it('leaves no delegation behind if it is not enqueued', async () => {
    const api = await suite.start({
      settings: { ...settings, jobs: { delegate_below_seconds: 3600, project_waiting_limit: 1 } },
    });
    const caller = callerFor(600);
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', { times: 2 });
    await credentialOf(api, caller);
    suite.cloud.reply('identity/trust-remove', { path: `/v3/OS-TRUST/trusts/${trustId}` });

    const refused = await api.post('/api/instances/async', { as: caller, body: instanceRequest() });

    assert.equal(refused.status, 429);
    await eventually(async () => suite.cloud.calls().some((call) => call.startsWith('DELETE ')) || undefined);
  });

  it('leaves no second delegation behind if another request with its key has enqueued it meanwhile', async () => {
    const api = await suite.start({ settings });
    const caller = callerFor(600);
    serviceUserSignsIn();
    suite.cloud
      .reply('identity/trust-create')
      .reply('identity/trust-create', { body: { trust: { id: 'second', expires_at: null } } })
      .reply('identity/trust-remove', { path: '/v3/OS-TRUST/trusts/second' });
    const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
    stream.close();
    const jobId = String(stream.headers.get('x-job-id'));
    const known = await api.context.authenticator.authenticate(caller, {
      projectRequired: true,
      requestId: 'req-1',
      address: '127.0.0.1',
    });

    const joined = await enqueueWithDelegation(
      { app: api.context, caller: known, requestId: 'req-1' },
      async () => jobId,
    );

    assert.equal(joined, jobId);
    const queued = await readQueued(api.context.redis.store, jobId);
    const kept = await api.context.credentials.get(queued?.credentialHandle ?? '');
    assert.equal(kept?.delegation?.trustId, trustId);
  });
});
