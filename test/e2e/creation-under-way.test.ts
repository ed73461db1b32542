import assert from 'node:assert/strict';
import type { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import {
  type GatewayClient,
  type InstanceMessage,
  messagesOf,
  stepsOf,
} from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { testLibraries } from '../support/projects/prepared-cloud.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const HELD_MS = 30_000;
/** Less than a list of instances is cached for. */
const SHOWN_WITHIN_MS = 10_000;

describe('a creation that is under way', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let control: CloudsimControl;
  let gateway: GatewayClient;

  before(async () => {
    simulated = await SimulatedStack.start({ config: { libraries: testLibraries } });
    ({ control, gateway } = simulated);
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  it('has its server in the list as soon as that exists', async () => {
    const listed = () => gateway.read<{ name: string }[]>('/api/instances');
    const isListed = async () => (await listed()).some(({ name }) => name === 'e2e-early');
    assert.equal(await isListed(), false);
    const end = await control.hold('before', { operation: 'floating_ips.create' });

    const stream = await gateway.createInstance({ ...simulated.request, name: 'e2e-early' });

    assert.equal(await end.waitUntilReached(HELD_MS), 'held');
    await eventually(async () => await isListed(), SHOWN_WITHIN_MS);
    await end.release();
    assert.equal((await messagesOf(stream)).at(-1)?.step, 'COMPLETED');
  });

  const kinds = [
    { kind: 'plain', libraries: [], first: { step: 'BOOT_VOLUME_CREATING', progress: 45 } },
    { kind: 'layered', libraries: ['python311'], first: { step: 'FILESHARE_PREPARING', progress: 20 } },
  ];
  for (const { kind, libraries, first } of kinds) {
    it(`sends its first event while its checks run: ${kind}`, async () => {
      const checks = await control.hold('before', { operation: 'routers.list' });
      const stream = await gateway.createInstance({ ...simulated.request, libraries });

      const event = await stream.nextJson<InstanceMessage>();

      const jobId = stream.headers.get('x-job-id');
      assert.ok(event);
      const { step, progress: begun, message, instance_id, error, job_id } = event;
      assert.deepEqual({ step, progress: begun }, first);
      assert.deepEqual([instance_id, error, job_id], [null, null, jobId]);
      assert.match(message, /checked/);
      assert.equal(await checks.waitUntilReached(HELD_MS), 'held');
      await checks.release();
      const messages = [
        event,
        ...(await stream.rest()).map(({ data }) => JSON.parse(data) as InstanceMessage),
      ];
      const steps = stepsOf(messages);
      assert.deepEqual(steps, [...new Set(steps)], 'no step comes again');
      assert.equal(messages.at(-1)?.step, 'COMPLETED', messages.at(-1)?.error ?? '');
      const progress = messages.map((one) => one.progress);
      assert.deepEqual(
        progress,
        progress.toSorted((a, b) => a - b),
        'progress never falls',
      );
      assert.deepEqual(new Set(messages.map(({ job_id }) => job_id)), new Set([jobId]));
    });
  }
});
