import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { serviceLogin, testLogin } from '../support/stacks/test-stack.ts';
import { setUpAutoBackup } from '../support/subjects/auto-backups.ts';

/** The procedures "Redis is lost and there is no copy" and "Decommissioning" in docs/operations.md. */
describe('a night in which Redis is lost without a copy', function () {
  this.timeout(240_000);
  let simulated: SimulatedStack;
  let serviceUser: CloudClient;

  before(async () => {
    simulated = await SimulatedStack.start({
      own: true,
      ownRedis: true,
      config: { jobs: { sweep_seconds: 1 } },
    });
    serviceUser = await CloudClient.logIn(simulated.stack.identityUrl ?? '', serviceLogin);
  });
  after(() => simulated?.stop());

  async function trusts(): Promise<{ id: string; expires_at: string }[]> {
    const path = `/OS-TRUST/trusts?trustee_user_id=${serviceUser.userId}`;
    return (await serviceUser.call<{ trusts: { id: string; expires_at: string }[] }>('identity', 'GET', path))
      .trusts;
  }

  async function createInstance(user: GatewayClient): Promise<string> {
    const last = (await messagesOf(await user.createInstance(simulated.request))).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    return last.instance_id ?? '';
  }

  it('serves again with an empty one, and finds what was made', async () => {
    const { stack } = simulated;
    const before = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const instance = await createInstance(before);
    const volume = await before.request<{ id: string }>('POST', '/api/volumes', { name: 'kept', size_gb: 1 });
    await setUpAutoBackup(before, volume.body.id);

    const processes = [...stack.workers, ...stack.apis];
    for (const each of processes) await each.stop();
    await queryRedis(stack.redis?.port ?? 0, (redis) => redis.flushall());
    for (const each of processes) await each.restart();

    // A token that the identity service accepts begins a new session, which no log-in has listed.
    await before.read('/api/auth/me');
    assert.deepEqual(await before.read('/api/auth/sessions'), []);
    const user = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    await eventually(async () => {
      const health = await user.read<{ status: string; jobs: string }>('/api/health?deep=true');
      return health.status === 'ok' && health.jobs === 'ok';
    });
    // Delegations of auto backups end years later, those of jobs within a day.
    const standing = (await trusts()).filter(
      ({ expires_at }) => Date.parse(expires_at) > Date.now() + 2 * 86_400_000,
    );
    assert.equal(standing.length, 1);
    await admin.read('/api/admin/leftovers');

    assert.equal((await user.request('DELETE', `/api/instances/${instance}`)).status, 204);
    await createInstance(user);
  });
});
