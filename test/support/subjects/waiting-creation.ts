import assert from 'node:assert/strict';
import { GatewayClient } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';
import type { SimulatedStack } from '../stacks/simulated-stack.ts';
import { testLogin } from '../stacks/test-stack.ts';

interface Job {
  status: string;
  error: string | null;
  leftovers: object[];
}

/** A creation that a restart interrupts, whose user has logged out: it depends on what is stored. */
export class WaitingCreation {
  readonly #simulated: SimulatedStack;
  readonly #jobId: string;

  private constructor(simulated: SimulatedStack, jobId: string) {
    this.#simulated = simulated;
    this.#jobId = jobId;
  }

  /** Begins a creation, and stops the worker once the cloud has the request for the boot volume. */
  static async begin(simulated: SimulatedStack): Promise<WaitingCreation> {
    const { control, request, stack } = simulated;
    const user = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const hold = await control.hold('before', { service: 'block-storage', operation: 'volumes.create' });
    const stream = await user.createInstance(request);
    assert.equal(await hold.waitUntilReached(30_000), 'held');
    assert.equal((await user.request('POST', '/api/auth/logout')).status, 204);
    await hold.release();
    const stopped = stack.workers.at(-1)?.stop();
    stream.close();
    await stopped;
    return new WaitingCreation(simulated, stream.headers.get('x-job-id') ?? '');
  }

  async read(): Promise<Job> {
    return this.#simulated.gateway.read<Job>(`/api/jobs/${this.#jobId}`);
  }

  /** Waits for its end, and checks that the project has what was requested, once. */
  async endsComplete(): Promise<void> {
    const job = await eventually(async () => {
      const read = await this.read();
      return read.status === 'running' || read.status === 'queued' ? undefined : read;
    }, 60_000);
    assert.deepEqual([job.status, job.error, job.leftovers], ['completed', null, []]);
    const { baseline, control } = this.#simulated;
    const inventory = await control.inventory();
    for (const kind of ['servers', 'volumes'])
      assert.equal((inventory.get(kind)?.size ?? 0) - (baseline.get(kind)?.size ?? 0), 1, kind);
  }
}
