import assert from 'node:assert/strict';
import type { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { createCluster } from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { startBuild } from '../support/subjects/builds.ts';

interface FloatingIp {
  id: string;
  floating_network_id: string;
  instance_id: string | null;
}

const LIST = '/api/networks/floating-ips';
/** The network service refuses the first call, for its description, and only then makes the floating IP. */
const LOST = { operation: 'floating_ips.create', nth: 2, after: true, status: 500 };

describe('in a cloud whose network service has no descriptions', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  let control: CloudsimControl;
  let gateway: GatewayClient;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        libraries: [{ id: 'tools', name: 'Tools', version: '1', packages: [], depends_on: [] }],
        builds: { image: 'debian-12', flavor: 'm1.tiny', boot_volume_size_gb: 1 },
        file_storage: { share_proto: 'NFS' },
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1 },
      },
    });
    ({ control, gateway } = simulated);
    await control.set({ hasDescriptions: false });
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  const listed = () => gateway.read<FloatingIp[]>(`${LIST}?refresh=true`);

  async function create() {
    const last = (await gateway.messagesOfCreation(simulated.request)).at(-1);
    return { step: last?.step, error: last?.error ?? '', id: last?.instance_id ?? '' };
  }

  async function made() {
    const known = simulated.baseline.get('floating_ips') ?? new Set();
    return (await listed()).filter(({ id }) => !known.has(id));
  }

  it('an instance gets a floating IP, which goes with it', async () => {
    const { error, id, step } = await create();

    assert.equal(step, 'COMPLETED', error);
    assert.deepEqual(
      (await made()).map(({ instance_id }) => instance_id),
      [id],
    );
    await gateway.request('DELETE', `/api/instances/${id}`);
    await eventually(async () => (await made()).length === 0);
  });

  it('a floating IP whose response is lost is found by its port', async () => {
    await control.addFault(LOST);
    const { error, id, step } = await create();
    assert.equal(step, 'COMPLETED', error);
    assert.equal((await made()).length, 1);
    await gateway.request('DELETE', `/api/instances/${id}/floating-ip`);
    for (const each of await made()) await gateway.request('DELETE', `${LIST}/${each.id}`);
    await control.clear();
    await control.addFault(LOST);

    const added = await gateway.request<FloatingIp>('POST', `/api/instances/${id}/floating-ip`);

    assert.equal(added.status, 200, added.text);
    assert.deepEqual(
      (await made()).map((each) => each.id),
      [added.body.id],
    );
  });

  const refusals: [string, () => Promise<string | null | undefined>][] = [
    [
      'a lite cluster',
      async () => (await createCluster(gateway, { name: 'c', agent_count: 1 })).at(-1)?.error,
    ],
    [
      'an instance on an NFS share',
      async () => {
        const libraries = { libraries: ['tools'], strategy: 'dynamic' as const };
        return (await gateway.messagesOfCreation({ ...simulated.request, ...libraries })).at(-1)?.error;
      },
    ],
    [
      'a build on an NFS share',
      async () => {
        const admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
        return (await startBuild(admin, 'tools')).text;
      },
    ],
  ];
  for (const [what, fail] of refusals) {
    it(`${what} is refused before anything is made for it`, async () => {
      await control.clearCalls();

      assert.match((await fail()) ?? '', /keeps no descriptions \(extension standard-attr-description\)/);

      const made = (await control.calls()).filter(
        ({ operation, service }) => service !== 'identity' && operation?.endsWith('.create'),
      );
      assert.deepEqual(made, []);
    });
  }

  it('a rollback releases nothing of the user', async () => {
    const { id: first } = await create();
    const [network] = await made();
    const own = await gateway.request<FloatingIp>('POST', LIST, {
      floating_network_id: network?.floating_network_id,
    });
    assert.equal(own.status, 201, own.text);
    const before = (await made()).map(({ id }) => id).sort();
    await control.addFault({ operation: 'floating_ips.create', status: 500, times: 0 });

    const failed = await create();

    assert.equal(failed.step, 'FAILED', failed.error);
    await control.clear();
    assert.deepEqual((await made()).map(({ id }) => id).sort(), before);
    await gateway.request('DELETE', `/api/instances/${first}`);
    assert.equal((await gateway.request('DELETE', `${LIST}/${own.body.id}`)).status, 204);
  });
});
