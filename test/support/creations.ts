import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CloudsimControl, Inventory } from './cloudsim-control.ts';
import { eventually } from './eventually.ts';
import type { GatewayClient } from './gateway-client.ts';
import { JobWatcher } from './job-watcher.ts';

const END_MS = 60_000;

interface Creation {
  requestId: string;
  watcher: JobWatcher;
  ended: Promise<boolean>;
}

/**
 * Instance creations that go on while something happens to the gateway, each watched by a client that comes back
 * when its stream breaks off.
 */
export class Creations {
  readonly #gateway: GatewayClient;
  readonly #control: CloudsimControl;
  readonly #untouched: Inventory;
  readonly #request: object;
  readonly #running: Creation[] = [];

  private constructor(
    gateway: GatewayClient,
    control: CloudsimControl,
    untouched: Inventory,
    request: object,
  ) {
    this.#gateway = gateway;
    this.#control = control;
    this.#untouched = untouched;
    this.#request = request;
  }

  static async prepare(gateway: GatewayClient, control: CloudsimControl): Promise<Creations> {
    const request = await gateway.smallInstance('e2e-creation');
    return new Creations(gateway, control, await control.inventory(), request);
  }

  /** Starts one, again and again while the gateway answers that it can not; gives the job's id. */
  async start(): Promise<string> {
    const requestId = `req-${randomUUID()}`;
    const stream = await eventually(() =>
      this.#gateway.createInstance(this.#request, requestId).catch((error: Error) => {
        if (!error.message.includes('but 503')) return Promise.reject(error);
        return undefined;
      }),
    );
    const jobId = stream.headers.get('x-job-id') ?? '';
    const watcher = new JobWatcher();
    const ended = watcher.takeAll(stream, (seen) => this.#gateway.followJob(jobId, seen), END_MS);
    this.#running.push({ requestId, watcher, ended });
    return jobId;
  }

  /** Resolves when each of them has told of so many events. */
  async untilBegun(events: number): Promise<void> {
    await eventually(async () =>
      this.#running.every(({ watcher }) => watcher.seqs.length >= events) ? true : undefined,
    );
  }

  /** Every client has seen every event once, the last one of a success; the cloud was asked for everything once. */
  async assertCompleted(): Promise<string[]> {
    const instances: string[] = [];
    for (const { requestId, watcher, ended } of this.#running) {
      assert.ok(await ended, `the job ended; seen so far: ${watcher.messages.map(({ step }) => step)}`);
      assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
      assert.deepEqual([watcher.faults, watcher.repeatedSteps()], [[], []]);
      const made = (await this.#control.calls(requestId)).filter(
        (call) => call.made !== null && call.performed,
      );
      const kinds = made.map(({ operation }) => operation);
      assert.ok(kinds.includes('servers.create'), `made ${kinds}`);
      assert.deepEqual(kinds, [...new Set(kinds)], 'nothing is made twice');
      instances.push(watcher.last.instance_id ?? '');
    }
    const servers = (await this.#control.inventory()).get('servers') ?? new Set();
    const others = [...servers].filter((id) => !this.#untouched.get('servers')?.has(id));
    assert.deepEqual(others.toSorted(), instances.toSorted());
    return instances;
  }

  /** Deletes what was created; nothing is left. */
  async remove(): Promise<void> {
    const known = this.#untouched.get('servers');
    const servers = (await this.#control.inventory()).get('servers') ?? [];
    for (const id of servers) {
      if (known?.has(id)) continue;
      // A store that has just changed hands may be away for a moment more: 503, and the client asks again.
      const answer = await eventually(async () => {
        const deleted = await this.#gateway.request('DELETE', `/api/instances/${id}`);
        return deleted.status === 503 ? undefined : deleted;
      });
      assert.equal(answer.status, 204, answer.text);
    }
    await eventually(async () => {
      assert.deepEqual(await this.#control.inventory(), this.#untouched);
      return true;
    });
    this.#running.length = 0;
  }
}
