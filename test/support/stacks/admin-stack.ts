import assert from 'node:assert/strict';
import type { Stack } from '../../../scripts/stack.ts';
import { CheckedCalls } from '../clients/checked-calls.ts';
import { CloudClient } from '../clients/cloud-client.ts';
import { GatewayClient } from '../clients/gateway-client.ts';
import { startTestStack, type TestLogin, testLogin } from './test-stack.ts';

interface Parties {
  stack: Stack;
  admin: GatewayClient;
  /** The services without the gateway. */
  cloud: CloudClient;
}

/** Two api processes, an administrator, and resources that are removed at the end of the suite. */
export class AdminStack extends CheckedCalls {
  readonly stack: Stack;
  readonly admin: GatewayClient;
  readonly cloud: CloudClient;
  readonly #removals: (() => Promise<unknown>)[] = [];

  constructor({ stack, admin, cloud }: Parties) {
    super(admin);
    this.stack = stack;
    this.admin = admin;
    this.cloud = cloud;
  }

  static async start(options?: Parameters<typeof startTestStack>[0]): Promise<AdminStack> {
    return new AdminStack(await AdminStack.prepare(options));
  }

  /** Starts the processes, for the constructor of a subclass. */
  static async prepare(options: Parameters<typeof startTestStack>[0] = {}): Promise<Parties> {
    const stack = await startTestStack({ apis: 2, startsJobs: false, ...options });
    try {
      const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
      const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
      return { stack, admin, cloud };
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** The second api process. */
  get otherUrl(): string {
    return this.stack.apis[1]?.url ?? '';
  }

  logIn(login: TestLogin): Promise<GatewayClient> {
    return GatewayClient.logIn(this.stack.url, login);
  }

  /** Creates a resource below `path`, which the end of the suite removes. */
  override async make<T extends { id: string }>(path: string, body: object): Promise<T> {
    const made = await super.make<T>(path, body);
    this.atEnd(() => this.admin.request('DELETE', `${path}/${made.id}`));
    return made;
  }

  /** Runs this at the end of the suite. What was created last is removed first. */
  atEnd(remove: () => Promise<unknown>): void {
    this.#removals.unshift(remove);
  }

  /** All items of a list that has pages. Also checks the envelope of each page. */
  async allPages<T extends { id: string }>(path: string, limit: number): Promise<T[]> {
    const all: T[] = [];
    let marker = '';
    do {
      const page = await this.read<{ items: T[]; next_marker: string | null; count: number }>(
        `${path}?limit=${limit}${marker}`,
      );
      assert.equal(page.count, page.items.length);
      assert.ok(page.items.length <= limit && (page.items.length > 0 || page.next_marker === null));
      if (page.next_marker !== null) assert.equal(page.next_marker, page.items.at(-1)?.id);
      all.push(...page.items);
      marker = page.next_marker === null ? '' : `&marker=${page.next_marker}`;
    } while (marker !== '');
    return all;
  }

  async stop(): Promise<void> {
    try {
      for (const remove of this.#removals) await remove();
    } finally {
      await this.stack.stop();
    }
  }
}
