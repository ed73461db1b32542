import assert from 'node:assert/strict';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { Stack } from '../../../scripts/stack.ts';
import { checkResponse } from '../api/response-check.ts';
import { CloudClient } from '../clients/cloud-client.ts';
import { type ApiResponse, GatewayClient } from '../clients/gateway-client.ts';
import { startTestStack, type TestLogin, testLogin } from '../stacks/test-stack.ts';
import { createProject } from './prepared-project.ts';

export interface Refusal {
  code: string;
  detail: string;
}

/** Who sends requests to the gateway, and to the services directly. */
interface Parties {
  stack: Stack;
  mine: GatewayClient;
  others: TestProject['others'];
  cloud: CloudClient;
  admin: CloudClient;
}

/** A project of its own for a suite, its member `mine`, and callers who have nothing to do with it. */
export class TestProject {
  readonly stack: Stack;
  readonly id: string;
  readonly mine: GatewayClient;
  /** Members of `demo`, `demo2` and `alice`, and an administrator of another project. */
  readonly others: Readonly<Record<'demo' | 'demo2' | 'alice' | 'admin', GatewayClient>>;
  readonly cloud: CloudClient;
  readonly admin: CloudClient;

  constructor({ stack, mine, others, cloud, admin }: Parties) {
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

  /**
   * Sends a request, by default of the project's member, and checks the response against
   * the declared endpoint.
   */
  async ask<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    who: GatewayClient = this.mine,
  ): Promise<ApiResponse<T>> {
    const answer = await who.request<T>(method, path, body);
    const { status, headers, text } = answer;
    checkResponse(method, path, { status, headers: Object.fromEntries(headers), text }, endpoints);
    return answer;
  }

  /** Sends the request by everybody who has nothing to do with the project; each must get a 404. */
  async isHidden(method: string, path: string, body?: unknown): Promise<void> {
    for (const [name, other] of Object.entries(this.others)) {
      const { status, body: refusal } = await this.ask<Refusal>(method, path, body, other);
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

  /** Deletes the project, which must be empty, and stops the processes. */
  async removeEmpty(): Promise<void> {
    await this.admin.call('identity', 'DELETE', `/projects/${this.id}`);
    await this.stack.stop();
  }
}
