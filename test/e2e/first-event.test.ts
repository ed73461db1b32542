import assert from 'node:assert/strict';
import type { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { type GatewayClient, type InstanceMessage, stepsOf } from '../support/clients/gateway-client.ts';
import { testLibraries } from '../support/projects/prepared-cloud.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const HELD_MS = 30_000;

describe('the first event of a creation', function () {
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

  const kinds = [
    { kind: 'plain', libraries: [], first: { step: 'BOOT_VOLUME_CREATING', progress: 45 } },
    { kind: 'layered', libraries: ['python311'], first: { step: 'FILESHARE_PREPARING', progress: 20 } },
  ];
  for (const { kind, libraries, first } of kinds) {
    it(`is sent while its checks run, with its first step: ${kind}`, async () => {
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
