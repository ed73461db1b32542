import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import type { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { type GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { type Prepared, preparePrebuiltShare } from '../support/projects/prepared-cloud.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

interface Job {
  id: string;
  leftovers: { type: string; id: string }[];
}

const LIBRARY = { id: 'addressed', version: '1' };

describe('the address that an access rule of a share allows', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let share: Prepared;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        libraries: [{ ...LIBRARY, name: 'Addressed', packages: [], depends_on: [] }],
        file_storage: { share_proto: 'NFS' },
        jobs: { poll_interval_ms: 50, sweep_seconds: 1 },
        time_limits: { undo_seconds: 1, step_retry_seconds: 0 },
      },
    });
    ({ control, gateway } = simulated);
    const admin = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('admin'));
    share = await preparePrebuiltShare(admin, {
      library: LIBRARY,
      protocol: 'NFS',
      shareType: 'default',
    });
  });

  after(async () => {
    await share?.remove();
    await simulated?.stop();
  });

  beforeEach(() => control.clearCalls());

  afterEach(async () => {
    await control.clear();
    for (const { id } of await gateway.read<{ id: string }[]>('/api/instances?refresh=true')) {
      await gateway.request('DELETE', `/api/instances/${id}`);
    }
  });

  it('is not released by a rollback before the rule is removed', async () => {
    await control.addFault({ operation: 'servers.create', status: 403 });
    await control.addFault({ operation: 'shares.deny_access', status: 500, times: 0 });
    const stream = await create();
    const jobId = stream.headers.get('x-job-id') ?? '';
    assert.equal((await messagesOf(stream)).at(-1)?.step, 'FAILED');

    assert.deepEqual(await leftoversOf(jobId), ['access_rule', 'port']);
    assert.deepEqual(await performed(['ports.delete']), []);
    await control.clear();
    await eventually(async () => assert.deepEqual(await leftoversOf(jobId), []) ?? true);

    assert.deepEqual(await performed(['shares.deny_access', 'ports.delete']), [
      'shares.deny_access',
      'ports.delete',
    ]);
    await assertNothingLeft();
  });

  it('is not released by a deletion before the rule is removed', async () => {
    const instanceId = await created();
    await control.addFault({ operation: 'shares.deny_access', status: 500, times: 0 });
    const jobId = await deletionOf(instanceId);

    await eventually(async () => assert.deepEqual(await leftoversOf(jobId), ['access_rule', 'port']) ?? true);
    assert.deepEqual(await performed(['ports.delete']), []);
    await control.clear();
    await eventually(async () => assert.deepEqual(await leftoversOf(jobId), []) ?? true);

    await assertNothingLeft();
  });

  it("is not released before the instance's own share is removed", async () => {
    const instanceId = await created({ strategy: 'dynamic' });
    await control.addFault({ operation: 'shares.delete', status: 500, times: 0 });
    const jobId = await deletionOf(instanceId);

    await eventually(async () => assert.deepEqual(await leftoversOf(jobId), ['share', 'port']) ?? true);
    assert.deepEqual(await performed(['ports.delete']), []);
    await control.clear();
    await eventually(async () => assert.deepEqual(await leftoversOf(jobId), []) ?? true);

    assert.deepEqual(await performed(['shares.delete', 'ports.delete']), ['shares.delete', 'ports.delete']);
    await assertNothingLeft();
  });

  it('is released with the instance, even if its port was detached before', async () => {
    const instanceId = await created();
    const demo = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('demo'));
    const path = `/servers/${instanceId}/os-interface`;
    const { interfaceAttachments: ports } = await demo.call<{ interfaceAttachments: { port_id: string }[] }>(
      'compute',
      'GET',
      path,
    );
    await demo.call('compute', 'DELETE', `${path}/${ports[0]?.port_id}`);

    await deletionOf(instanceId);

    await assertNothingLeft();
  });

  function create(more: object = {}) {
    return gateway.createInstance({ ...simulated.request, libraries: [LIBRARY.id], ...more });
  }

  async function created(more: object = {}): Promise<string> {
    const last = (await messagesOf(await create(more))).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    return last.instance_id ?? '';
  }

  /** The job that deletes the instance. */
  async function deletionOf(instanceId: string): Promise<string> {
    const answer = await gateway.request('DELETE', `/api/instances/${instanceId}`);
    assert.equal(answer.status, 204, answer.text);
    const { items } = await gateway.read<{ items: Job[] }>('/api/jobs?type=instance.delete&limit=1');
    return items[0]?.id ?? '';
  }

  async function leftoversOf(jobId: string): Promise<string[]> {
    return (await gateway.read<Job>(`/api/jobs/${jobId}`)).leftovers.map(({ type }) => type);
  }

  async function performed(operations: string[]): Promise<(string | null)[]> {
    const calls = await control.calls();
    return calls
      .filter((call) => call.performed && operations.includes(call.operation ?? ''))
      .map((call) => call.operation);
  }

  async function assertNothingLeft(): Promise<void> {
    await eventually(async () => {
      const { shares: _known, ...kinds } = Object.fromEntries(simulated.baseline);
      const now = await control.inventory();
      for (const [kind, ids] of Object.entries(kinds)) assert.deepEqual(now.get(kind), ids, kind);
      assert.deepEqual([...(now.get('shares') ?? [])], [share.id]);
      return true;
    });
  }
});
