import assert from 'node:assert/strict';
import type { Stack } from '../../../scripts/stack.ts';
import { GatewayClient } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';
import { lastingCaches } from '../stacks/cache-lifetimes.ts';
import { simulatedCloud, startTestStack, testLogin } from '../stacks/test-stack.ts';

export interface Row {
  id: string;
  name: string;
  status: string;
  task_state?: string | null;
  attachments?: { server_id: string; server_name: string | null }[];
  instance_name?: string | null;
  subnets?: string[];
  rules?: { id: string }[];
  ip_addresses?: { addr: string }[];
  connected_subnet_ids?: string[];
  external_gateway_network_id?: string | null;
}

/** What a list shows after a write. */
type Shows = (rows: Row[]) => boolean;

/** TEST_ROUNDS=200 repeats each write often enough to find a rare race. */
export const ROUNDS = Number(process.env.TEST_ROUNDS ?? 3);

export const has = (made: { id: string }) => (rows: Row[]) => rows.some(({ id }) => id === made.id);
export const lacks = (id: string) => () => (rows: Row[]) => rows.every((row) => row.id !== id);
export const isNamed = (id: string, name: string) => () => (rows: Row[]) =>
  rows.some((row) => row.id === id && row.name === name);
export const isIn = (id: string, statuses: string[]) => () => (rows: Row[]) =>
  rows.some((row) => row.id === id && statuses.includes(row.status));

/** Call within `describe`: two api processes for the suite. */
export function freshLists(): FreshLists {
  const lists = new FreshLists();
  before(() => lists.start());
  after(() => lists.stop());
  return lists;
}

/** Writes at one api process, and reads of the lists at another one. */
class FreshLists {
  writer!: GatewayClient;
  /** The same session at another api process, which has cached each list before the write. */
  reader!: GatewayClient;
  checks = 0;
  #stack: Stack | undefined;

  async start(): Promise<void> {
    // Only a drop makes a write visible.
    this.#stack = await startTestStack({
      ...simulatedCloud,
      apis: 2,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0' },
      config: {
        cache: lastingCaches,
        services: { container: true },
      },
    });
    this.writer = await GatewayClient.logIn(this.#stack.url, testLogin('demo'));
    this.reader = this.writer.at(this.#stack.apis[1]?.url ?? '');
  }

  async stop(): Promise<void> {
    await this.#stack?.stop();
  }

  get identityUrl(): string {
    return this.#stack?.identityUrl ?? '';
  }

  /** Performs a write, and asserts that the next read of each list at the other api process shows it. */
  async assertShown<T>(write: () => Promise<T>, lists: Record<string, (made: T) => Shows>): Promise<T> {
    for (const path of Object.keys(lists)) await this.reader.read(path);
    const made = await write();
    for (const [path, shows] of Object.entries(lists)) {
      const rows = await this.reader.read<Row[]>(path);
      assert.ok(shows(made)(rows), `${path} shows the write`);
      this.checks += 1;
    }
    return made;
  }

  async send<T = Row>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.writer.request<T>(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  /** Waits for a resource, without reading a list. */
  waitFor(path: string, status: string): Promise<true> {
    return eventually(async () => (await this.writer.read<Row>(path)).status === status);
  }

  async repeat(round: (number: number) => Promise<void>): Promise<void> {
    this.checks = 0;
    for (let number = 0; number < ROUNDS; number += 1) await round(number);
    assert.ok(this.checks >= ROUNDS);
  }
}
