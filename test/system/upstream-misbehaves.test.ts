import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import type { CloudsimControl, FaultSpec } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient, InstanceMessage, InstanceRequest } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

/** Faults that a creation survives, each repeated as often as a service might cause it. */
const survived: { title: string; fault: FaultSpec }[] = [
  {
    title: 'a service that takes no more requests for now (429)',
    fault: { operation: 'volumes.create', status: 429, headers: { 'retry-after': '1' }, times: 2 },
  },
  {
    title: 'a service that is overloaded (503 with Retry-After)',
    fault: { operation: 'servers.create', status: 503, headers: { 'retry-after': '1' }, times: 2 },
  },
  {
    title: 'a service that is unavailable for some polls of a new resource',
    fault: { operation: 'volumes.get', status: 503, times: 5 },
  },
  {
    title: 'a connection that breaks before the service has acted',
    fault: { operation: 'servers.create', drop: true },
  },
  {
    title: 'a connection that breaks after the service has acted',
    fault: { operation: 'servers.create', drop: true, after: true },
  },
  {
    title: 'an error (500) though the service has acted',
    fault: { operation: 'floating_ips.create', status: 500, after: true },
  },
  {
    title: 'no answer though the service has acted',
    fault: { operation: 'volumes.create', hang: true, after: true },
  },
];

/** Fault messages of the compute service, and the resulting errors of the gateway. */
const buildFaults: { message: string; code: string; expected: RegExp }[] = [
  {
    message: 'No valid host was found. ',
    code: 'no_valid_host',
    expected: /no host has room for this flavor/,
  },
  {
    message: 'Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures.',
    code: 'no_valid_host',
    expected: /could not be placed: no host could take it/,
  },
  {
    message: 'Quota exceeded for cores: Requested 1, but already used 20 of 20 cores',
    code: 'quota_exceeded',
    expected: /The quota for cores is exceeded: 20 allowed, 20 in use, 1 requested\./,
  },
  {
    message: 'Build of instance x aborted: Failed to allocate the network(s), not rescheduling.',
    code: 'instance_failed',
    expected: /could not be started: Failed to allocate the network\(s\), not rescheduling\.$/,
  },
];

describe('when services misbehave', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let stack: Stack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let request: InstanceRequest;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        jobs: { poll_interval_ms: 50 },
        time_limits: { upstream_request_seconds: 2, volume_seconds: 4, undo_seconds: 30 },
      },
    });
    ({ stack, control, gateway, request } = simulated);
  });

  after(() => simulated?.stop());

  beforeEach(() => control.clearCalls());

  afterEach(() => simulated.restore());

  async function create(): Promise<InstanceMessage | undefined> {
    return (await gateway.messagesOfCreation(request)).at(-1);
  }

  async function madeBy(operation: string): Promise<number> {
    return (await control.calls()).filter((call) => call.operation === operation && call.performed).length;
  }

  for (const { title, fault } of survived) {
    it(`a creation survives ${title}, and creates one of each resource`, async () => {
      await control.addFault(fault);

      const last = await create();

      assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
      for (const operation of ['volumes.create', 'servers.create', 'floating_ips.create']) {
        assert.equal(await madeBy(operation), 1, operation);
      }
    });
  }

  for (const { message, code, expected } of buildFaults) {
    it(`a server in ERROR fails the creation with ${code}: ${message}`, async () => {
      await control.set({ buildFault: { code: 500, message } });

      const last = await create();

      await control.set({ buildFault: null });
      assert.deepEqual([last?.step, last?.code], ['FAILED', code]);
      assert.match(last?.error ?? '', expected);
      const values = { quota: 'cores', requested: 1, in_use: 20, limit: 20 };
      assert.deepEqual(last?.params, code === 'quota_exceeded' ? values : undefined);
    });
  }

  it('a service that hides its quotas does not block a creation', async () => {
    await control.addFault({ service: 'network', operation: 'quotas.details', status: 403, times: 0 });
    await control.addFault({ operation: 'limits.get', status: 404, times: 0 });

    const last = await create();

    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
  });

  it('a volume that never becomes available fails the creation, and is force-deleted', async () => {
    await control.clearCalls();
    await control.addFault({
      operation: 'volumes.get',
      status: 200,
      body: { volume: { id: 'x', status: 'creating', created_at: '2020-01-01T00:00:00.000000' } },
      times: 0,
    });

    const creating = create();
    await eventually(async () => {
      const calls = await control.calls();
      const created = calls.find(({ operation }) => operation === 'volumes.create');
      // The end of an earlier creation may still act on its volume.
      return calls.find(
        ({ path, request_id, service }) =>
          service === 'block-storage' && path.endsWith('/action') && request_id === created?.request_id,
      );
    });
    await control.clear();

    const last = await creating;
    assert.deepEqual([last?.step, last?.code], ['FAILED', 'upstream_timeout']);
    assert.equal(last?.error, 'The boot volume was not ready in time.');
  });

  it('a volume whose deletion fails during a rollback is force-deleted', async () => {
    await control.addFault({ operation: 'servers.create', status: 403 });
    await control.addFault({
      operation: 'volumes.get',
      nth: 1,
      times: 3,
      status: 200,
      body: { volume: { id: 'x', status: 'available', created_at: '2020-01-01T00:00:00.000000' } },
    });
    await control.addFault({
      operation: 'volumes.get',
      nth: 4,
      times: 2,
      status: 200,
      body: { volume: { id: 'x', status: 'error_deleting', created_at: '2020-01-01T00:00:00.000000' } },
    });

    const last = await create();

    assert.equal(last?.step, 'FAILED');
    const { items } = await gateway.read<{ items: { leftovers: unknown[] }[] }>('/api/jobs?limit=1');
    assert.deepEqual(items[0]?.leftovers, []);
  });

  it('an exhausted quota refuses the creation before its job, by name', async () => {
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    const path = `/os-quota-sets/${gateway.projectId}`;
    const setInstances = (instances: number) =>
      admin.call('compute', 'PUT', path, { quota_set: { instances } });
    await setInstances(0);

    const refused = await gateway.request<{ code: string; detail: string }>(
      'POST',
      '/api/instances/async',
      request,
    );

    await setInstances(10);
    assert.deepEqual([refused.status, refused.body.code], [409, 'quota_exceeded']);
    assert.match(refused.body.detail, /instances: 1 requested, 0 of 0 in use/);
    assert.equal(await madeBy('trusts.create'), 0);
  });
});
