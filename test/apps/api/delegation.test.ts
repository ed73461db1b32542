import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { readQueued } from '@gateway/jobs';
import type { DelegatedIdentity } from '@gateway/openstack';
import { enqueueWithDelegation } from '../../../apps/api/src/flows/enqueue-with-delegation.ts';
import { expiryIn, instanceRequest, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const settings = {
  ...withServiceUser,
};
const trustId = fixtureBody<{ id: string }>('identity/trust-create', 'trust').id;

describe('the delegation of a job', () => {
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
    return storedCredential(api, String(stream.headers.get('x-job-id')));
  }

  async function storedCredential(api: TestApi, jobId: string): Promise<DelegatedIdentity | null> {
    const queued = await readQueued(api.context.redis.store, jobId);
    return api.context.credentials.get(queued?.credentialHandle ?? '');
  }

  async function hasNoIntents(api: TestApi): Promise<void> {
    await eventually(async () => (await api.context.delegationIntents.readAll()).size === 0);
  }

  /** Those of a second scrape: in the first, counters are 0. */
  async function metrics(api: TestApi): Promise<string> {
    await api.context.metrics.metricsText();
    return (await api.context.metrics.metricsText()).body;
  }

  it('is created for any token lifetime, without administrator role, and stored sealed', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(
      newCaller({ expiresAt: expiryIn(30 * 3_600_000), roles: ['admin', 'member'] }),
    );
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', {
      requestHeaders: { 'x-auth-token': caller.token },
      requestBody: ({ trust }: { trust: Record<string, unknown> }) =>
        trust.trustor_user_id === caller.userId &&
        trust.trustee_user_id === 'gateway-id' &&
        JSON.stringify(trust.roles) === '[{"name":"member"}]',
    });

    const credential = await credentialOf(api, caller);

    assert.equal(credential?.delegation?.trustId, trustId);
    const stored = (await allStoredData(api)).join('\n');
    assert.equal(stored.includes(trustId), false);
    const [key = ''] = (await api.context.redis.queue.keys('*credential*')).filter((name) =>
      name.includes(api.keyPrefix),
    );
    const expiresAt = await api.context.redis.queue.pexpiretime(key);
    const ends = [credential?.delegation?.expiresAt ?? '', credential?.expiresAt ?? ''].map(Date.parse);
    assert.equal(expiresAt, Math.max(...ends));
    assert.match(await metrics(api), /^gateway_delegations_total\{outcome="created"\} 1$/m);
    await hasNoIntents(api);
  });

  it('is announced before its creation, and stays announced without a response', async () => {
    const api = await suite.start({ settings });
    const caller = callerFor(600);
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', { status: 504, body: '' });

    const credential = await credentialOf(api, caller);

    assert.equal(credential?.undelegated, 'failed');
    const intents = [...(await api.context.delegationIntents.readAll()).values()];
    assert.deepEqual(
      intents.map(({ projectId, trustorId }) => [trustorId, projectId]),
      [[caller.userId, caller.projectId]],
    );
  });

  it('has the role of administrators for an update of quotas', async () => {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin', 'member'] }));
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', {
      requestBody: ({ trust }: { trust: Record<string, unknown> }) =>
        JSON.stringify(trust.roles) === '[{"name":"admin"},{"name":"member"}]',
    });

    const identity = await api.context.authenticator.authenticate(caller, {
      projectRequired: true,
      requestId: 'req-1',
      address: () => '127.0.0.1',
    });
    const jobId = await enqueueWithDelegation(
      { app: api.context, caller: identity, jobId: newId(), requestId: 'req-1' },
      { type: 'quotas.update', payload: { quotaProjectId: 'p1', limits: {} } },
      { asAdministrator: true },
    );

    assert.equal((await storedCredential(api, jobId))?.delegation?.trustId, trustId);
  });

  it('is missing without a service user: the job has token and reason', async () => {
    const api = await suite.start();

    const credential = await credentialOf(api, callerFor(60));

    assert.deepEqual([credential?.delegation, credential?.undelegated], [undefined, 'no_service_user']);
    assert.doesNotMatch(await metrics(api), /^gateway_delegations_total\{/m);
  });

  it('is missing after a refusal: the job has token and reason', async () => {
    const api = await suite.start({ settings });
    const caller = callerFor(600);
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', {
      status: 403,
      body: { error: { code: 403, message: 'No.' } },
    });

    const credential = await credentialOf(api, caller);

    assert.deepEqual([credential?.delegation, credential?.undelegated], [undefined, 'refused']);
    assert.equal(api.log.withMessage('There is no delegation').length, 1);
    assert.match(await metrics(api), /^gateway_delegations_total\{outcome="refused"\} 1$/m);
  });

  it('is revoked if the job is not enqueued', async () => {
    const api = await suite.start({
      settings: { ...settings, jobs: { project_waiting_limit: 1 } },
    });
    const caller = callerFor(600);
    serviceUserSignsIn();
    suite.cloud.reply('identity/trust-create', { times: 2 });
    await credentialOf(api, caller);
    suite.cloud.reply('identity/trust-remove', { path: `/v3/OS-TRUST/trusts/${trustId}` });

    const refused = await api.post('/api/instances/async', { as: caller, body: instanceRequest() });

    assert.equal(refused.status, 429);
    await eventually(async () => suite.cloud.calls().some((call) => call.startsWith('DELETE ')));
    await hasNoIntents(api);
  });

  it('is revoked if another request with the key enqueued the job', async () => {
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
      address: () => '127.0.0.1',
    });

    const joined = await enqueueWithDelegation(
      { app: api.context, caller: known, jobId, requestId: 'req-1' },
      { type: 'quotas.update', payload: { quotaProjectId: 'p1', limits: {} } },
    );

    assert.equal(joined, jobId);
    assert.equal((await storedCredential(api, jobId))?.delegation?.trustId, trustId);
    await hasNoIntents(api);
  });
});
