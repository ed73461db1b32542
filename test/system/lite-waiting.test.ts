import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { messagesOf } from '../support/clients/gateway-client.ts';
import { createWaiting, raiseQuotas, type WaitingCluster } from '../support/lite/waiting-clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

/** A project never takes the last one. */
const SLOTS = 3;
const CLUSTERS = 12;
const REACHED_WITHIN_MS = 30_000;

describe(`${CLUSTERS} clusters that wait for their control nodes`, function () {
  this.timeout(300_000);
  let simulated: SimulatedStack;
  let clusters: WaitingCluster[];

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        // Not as often as other tests ask: each of the clusters asks for the state of its server.
        jobs: { concurrency: { provisioning: SLOTS }, poll_interval_ms: 500 },
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1 },
      },
    });
    const { control, gateway, stack } = simulated;
    await control.set({ guest: { clusterOutcome: 'silent' } });
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    await raiseQuotas(admin, gateway.projectId);
    clusters = await createWaiting(gateway, CLUSTERS);
  });

  after(() => simulated?.stop());

  /** The number of clusters that still wait. */
  async function waiting(): Promise<number> {
    const { gateway } = simulated;
    const steps = await Promise.all(
      clusters.map(async ({ jobId }) => (await gateway.read<{ step: string }>(`/api/jobs/${jobId}`)).step),
    );
    return steps.filter((step) => step === 'waiting_callback').length;
  }

  it("leave the only worker's slots to creations of instances", async () => {
    const { control, gateway, request } = simulated;
    const holds = await Promise.all(
      Array.from({ length: SLOTS - 1 }, (_, index) =>
        control.hold('before', { operation: 'floating_ips.create', nth: index + 1 }),
      ),
    );

    const streams = await Promise.all(holds.map(() => gateway.createInstance(request)));

    // All slots of the project work at the same time, each with the last call of a creation.
    for (const hold of holds) assert.equal(await hold.waitUntilReached(REACHED_WITHIN_MS), 'held');
    assert.equal(await waiting(), CLUSTERS);
    await control.clear();
    for (const stream of streams) assert.equal((await messagesOf(stream)).at(-1)?.step, 'COMPLETED');
    assert.equal(await waiting(), CLUSTERS);
  });

  it('take a cancellation at once', async () => {
    const { gateway } = simulated;
    const [first] = clusters;

    const cancelled = await gateway.request('POST', `/api/jobs/${first?.jobId}/cancel`);

    assert.equal(cancelled.status, 202, cancelled.text);
    const last = (await messagesOf(await gateway.followJob(first?.jobId ?? ''))).at(-1);
    assert.equal(last?.step, 'failed');
    assert.equal(await waiting(), CLUSTERS - 1);
  });
});
