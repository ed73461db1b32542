import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ApiResponse,
  type Client,
  idOf,
  LATEST_COMPUTE,
  startTestCloud,
  type TestCloud,
} from './client.ts';
import { builderFiles, type Form, userData } from './guest-data.ts';
import { type Receiver, startReceiver } from './report-receiver.ts';

export const SERVERS = '/compute/v2.1/servers';
/** Long enough for every pending action to start, and shorter than the delay before a repeated report. */
export const A_WHILE_MS = 5_000;
export const RETRY_MS = 15_000;

/** Call within `describe`. Each test gets a cloud of its own, and a receiver of its servers' reports. */
export function guestSuite(): GuestSuite {
  const suite = new GuestSuite();
  beforeEach(() => suite.start());
  afterEach(() => suite.close());
  return suite;
}

class GuestSuite {
  cloud!: TestCloud;
  gateway!: Client;
  receiver!: Receiver;
  networkId!: string;
  #imageRef = '';
  #flavorRef = '';

  async start(): Promise<void> {
    this.cloud = await startTestCloud();
    this.receiver = await startReceiver();
    this.gateway = await this.cloud.as('gateway', 'service');
    this.#imageRef = idOf(await this.gateway.call('GET', '/image/v2/images'), 'debian-12');
    this.#flavorRef = idOf(await this.gateway.call('GET', '/compute/v2.1/flavors'), 'm1.tiny');
    this.networkId = idOf(await this.gateway.call('GET', '/network/v2.0/networks'), 'builders');
  }

  async close(): Promise<void> {
    await this.cloud.close();
    await this.receiver.close();
  }

  async boot(user_data: string, networks: unknown = [{ uuid: this.networkId }]): Promise<string> {
    const server = {
      name: 'builder',
      imageRef: this.#imageRef,
      flavorRef: this.#flavorRef,
      networks,
      user_data,
    };
    const made = await this.gateway.call('POST', SERVERS, { server }, LATEST_COMPUTE);
    assert.equal(made.status, 202, JSON.stringify(made.body));
    return made.body.server.id;
  }

  bootBuilder(form?: Form): Promise<string> {
    return this.boot(userData(builderFiles(this.receiver.url), form));
  }

  async status(id: string): Promise<string> {
    return (await this.gateway.call('GET', `${SERVERS}/${id}`)).body.server?.status ?? 'gone';
  }

  async act(id: string, action: object): Promise<void> {
    const answer = await this.gateway.call('POST', `${SERVERS}/${id}/action`, action);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
  }

  async consoleOf(id: string): Promise<string> {
    const action = { 'os-getConsoleOutput': {} };
    return (await this.gateway.call('POST', `${SERVERS}/${id}/action`, action)).body.output;
  }

  /**
   * Advances the cloud's clock in steps until `check` passes, because the reports of servers take real time.
   */
  async passing<T>(
    check: () => Promise<T | undefined | false> | T | undefined | false,
    stepMs = 100,
  ): Promise<T> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      this.cloud.clock.advance(stepMs);
      const result = await check();
      if (result !== undefined && result !== false) return result;
      assert.ok(Date.now() < deadline, 'it did not come about in time');
      await pause(2);
    }
  }

  untilReports(count: number, stepMs?: number): Promise<true> {
    return this.passing(() => this.receiver.reports.length >= count, stepMs);
  }

  untilStatus(id: string, wanted: string, stepMs?: number): Promise<true> {
    return this.passing(async () => (await this.status(id)) === wanted, stepMs);
  }

  set(guest: object): Promise<ApiResponse> {
    return this.cloud.call('POST', '/_control/settings', { guest });
  }
}
