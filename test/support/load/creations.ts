import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CloudsimControl, Inventory } from '../clients/cloudsim-control.ts';
import { type GatewayClient, type InstanceRequest, RECONNECT_DELAY_MS } from '../clients/gateway-client.ts';
import { JobWatcher } from '../clients/job-watcher.ts';
import { eventually } from '../eventually.ts';

const END_MS = 60_000;

interface Creation {
  requestId: string;
  watcher: JobWatcher;
  ended: Promise<boolean>;
}

/**
 * Instance creations that run while the gateway is disturbed. A client that reconnects when its stream
 * breaks follows each of them.
 */
export class Creations {
  readonly #gateway: GatewayClient;
  readonly #control: CloudsimControl;
  readonly #baseline: Inventory;
  readonly #request: InstanceRequest;
  readonly #running: Creation[] = [];

  private constructor(
    gateway: GatewayClient,
    control: CloudsimControl,
    baseline: Inventory,
    request: InstanceRequest,
  ) {
    this.#gateway = gateway;
    this.#control = control;
    this.#baseline = baseline;
    this.#request = request;
  }

  static async prepare(gateway: GatewayClient, control: CloudsimControl): Promise<Creations> {
    const request = await gateway.smallInstanceRequest('e2e-creation');
    return new Creations(gateway, control, await control.inventory(), request);
  }

  /** Starts a creation, which its client repeats until the gateway accepts it. Returns the job id. */
  async start(): Promise<string> {
    const requestId = `req-${randomUUID()}`;
    const watcher = new JobWatcher();
    const accepted = Promise.withResolvers<string>();
    const events = this.#gateway.published.createInstance(this.#request, {
      headers: { 'x-request-id': requestId },
      onJob: accepted.resolve,
      signal: AbortSignal.timeout(END_MS),
      giveUpAfterMs: END_MS,
      maxDelayMs: RECONNECT_DELAY_MS,
    });
    const ended = watcher.follow(events);
    this.#running.push({ requestId, watcher, ended });
    const refused = ended.then(() => Promise.reject(watcher.failure));
    return Promise.race([accepted.promise, refused]);
  }

  /** Resolves when each creation has sent this number of events. */
  async waitUntilStarted(events: number): Promise<void> {
    await eventually(async () => this.#running.every(({ watcher }) => watcher.seqs.length >= events));
  }

  /**
   * Asserts that each client received each event once and a final success, and that
   * nothing was created twice.
   */
  async assertCompleted(): Promise<string[]> {
    const instances: string[] = [];
    for (const { requestId, watcher, ended } of this.#running) {
      assert.ok(
        await ended,
        `the job ended; seen so far: ${watcher.messages.map(({ step }) => step)}, ${watcher.failure}`,
      );
      assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
      assert.deepEqual([watcher.problems, watcher.repeatedSteps()], [[], []]);
      const made = (await this.#control.calls(requestId)).filter(
        (call) => call.made !== null && call.performed,
      );
      // A request that is sent again revokes the delegation that its job does not use.
      const kinds = made.flatMap(({ operation }) => (operation === 'trusts.create' ? [] : [operation]));
      assert.ok(kinds.includes('servers.create'), `made ${kinds}`);
      assert.deepEqual(kinds, [...new Set(kinds)], 'nothing is made twice');
      instances.push(watcher.last.instance_id ?? '');
    }
    const servers = (await this.#control.inventory()).get('servers') ?? new Set();
    const others = [...servers].filter((id) => !this.#baseline.get('servers')?.has(id));
    assert.deepEqual(others.toSorted(), instances.toSorted());
    return instances;
  }

  /** Deletes the instances and asserts that nothing is left. */
  async remove(): Promise<void> {
    const known = this.#baseline.get('servers');
    const servers = (await this.#control.inventory()).get('servers') ?? [];
    for (const id of servers) {
      if (known?.has(id)) continue;
      // Redis may be unavailable for a moment after a failover: the client retries on 503.
      const answer = await eventually(async () => {
        const deleted = await this.#gateway.request('DELETE', `/api/instances/${id}`);
        return deleted.status === 503 ? undefined : deleted;
      });
      assert.equal(answer.status, 204, answer.text);
    }
    await eventually(async () => {
      assert.deepEqual(await this.#control.inventory(), this.#baseline);
      return true;
    });
    this.#running.length = 0;
  }
}
