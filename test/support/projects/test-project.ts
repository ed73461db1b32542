import assert from 'node:assert/strict';
import type { Stack } from '../../../scripts/stack.ts';
import type { ErrorBody } from '../api/client.ts';
import { CheckedCalls } from '../clients/checked-calls.ts';
import { CloudClient } from '../clients/cloud-client.ts';
import { GatewayClient } from '../clients/gateway-client.ts';
import { startTestStack, type TestLogin, testLogin } from '../stacks/test-stack.ts';
import { type Prepared, prepareServer } from './prepared-cloud.ts';
import { createProject } from './prepared-project.ts';

/** Who sends requests to the gateway, and to the services directly. */
interface Parties {
  stack: Stack;
  mine: GatewayClient;
  others: TestProject['others'];
  cloud: CloudClient;
  admin: CloudClient;
}

/**
 * A project of its own for a suite, its member `mine`, who sends requests by default, and callers who have
 * nothing to do with it.
 */
export class TestProject extends CheckedCalls {
  readonly stack: Stack;
  readonly id: string;
  readonly mine: GatewayClient;
  /** Members of `demo`, `demo2` and `alice`, and an administrator of another project. */
  readonly others: Readonly<Record<'demo' | 'demo2' | 'alice' | 'admin', GatewayClient>>;
  readonly cloud: CloudClient;
  readonly admin: CloudClient;

  constructor({ stack, mine, others, cloud, admin }: Parties) {
    super(mine);
    this.stack = stack;
    this.id = cloud.projectId;
    this.mine = mine;
    this.others = others;
    this.cloud = cloud;
    this.admin = admin;
  }

  /** Starts the processes and creates the project, for the constructor of a subclass. */
  static async prepare(options: Parameters<typeof startTestStack>[0] = {}): Promise<Parties> {
    const stack = await startTestStack({ startsJobs: false, ...options });
    try {
      const identityUrl = stack.identityUrl ?? '';
      const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
      const demo = testLogin('demo');
      const login: TestLogin = { ...demo, projectName: `e2e-${crypto.randomUUID()}` };
      await createProject(admin, login);
      const logIn = (who: TestLogin) => GatewayClient.logIn(stack.url, who);
      const others = {
        demo: await logIn(demo),
        demo2: await logIn({ ...demo, projectName: 'demo2' }),
        alice: await logIn(testLogin('alice')),
        admin: await logIn(testLogin('admin')),
      };
      const cloud = await CloudClient.logIn(identityUrl, login);
      return { stack, mine: await logIn(login), others, cloud, admin };
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Sends the request by everybody who has nothing to do with the project; each must get a 404. */
  async isHidden(method: string, path: string, body?: unknown): Promise<void> {
    for (const [name, other] of Object.entries(this.others)) {
      const { status, body: refusal } = await this.ask<ErrorBody>(method, path, body, other);
      assert.deepEqual([status, refusal?.code], [404, 'not_found'], `${method} ${path} by ${name}`);
    }
  }

  /** Checks that a list of the others does not have the record. */
  async isUnlisted(path: string, id: string): Promise<void> {
    for (const [name, other] of Object.entries(this.others)) {
      const { body } = await this.ask<{ id: string }[]>('GET', path, undefined, other);
      assert.equal(
        body.some((row) => row.id === id),
        false,
        `${path} of ${name}`,
      );
    }
  }

  /** Creates a server of the project, on this network or on none, without the gateway. */
  makeServer(networkId?: string): Promise<Prepared> {
    return prepareServer(this.cloud, { networkId });
  }

  /** Deletes the project, which must be empty, and stops the processes. */
  async removeEmpty(): Promise<void> {
    await this.admin.call('identity', 'DELETE', `/projects/${this.id}`);
    await this.stack.stop();
  }
}
