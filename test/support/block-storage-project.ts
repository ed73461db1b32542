import assert from 'node:assert/strict';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import type { Stack } from '../../scripts/stack.ts';
import { checkResponse } from './api/response-check.ts';
import { CloudClient } from './cloud-client.ts';
import { CloudsimControl } from './cloudsim-control.ts';
import { eventually } from './eventually.ts';
import { type ApiResponse, GatewayClient } from './gateway-client.ts';
import { type Prepared, prepareServer } from './prepared-cloud.ts';
import { createProject } from './prepared-project.ts';
import { startTestStack, type TestLogin, testLogin } from './test-stack.ts';

export interface Refusal {
  code: string;
  detail: string;
}

interface Row {
  id: string;
  status: string;
}

/** Backups on a real cloud take minutes. */
const PATIENCE_MS = 300_000;

/** A project of its own for a suite about volumes, its member `mine`, and callers who have nothing to do with it. */
export class BlockStorageProject {
  readonly stack: Stack;
  readonly id: string;
  readonly mine: GatewayClient;
  /** Members of `demo`, `demo2` and `alice`, and an administrator of another project. */
  readonly others: Readonly<Record<'demo' | 'demo2' | 'alice' | 'admin', GatewayClient>>;
  readonly cloud: CloudClient;
  readonly admin: CloudClient;

  private constructor(
    stack: Stack,
    gateways: { mine: GatewayClient; others: BlockStorageProject['others'] },
    clouds: { cloud: CloudClient; admin: CloudClient },
  ) {
    this.stack = stack;
    this.id = clouds.cloud.projectId;
    this.mine = gateways.mine;
    this.others = gateways.others;
    this.cloud = clouds.cloud;
    this.admin = clouds.admin;
  }

  static async start(options: Parameters<typeof startTestStack>[0] = {}): Promise<BlockStorageProject> {
    const stack = await startTestStack({
      workers: 0,
      ...options,
      config: { rate_limits: { volume_create: 0 } },
    });
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
      return new BlockStorageProject(stack, { mine: await logIn(login), others }, { cloud, admin });
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Sends a request, by default of the project's member, and checks the response against the declared endpoint. */
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
      const { body } = await this.ask<Row[]>('GET', path, undefined, other);
      assert.equal(
        body.some((row) => row.id === id),
        false,
        `${path} of ${name}`,
      );
    }
  }

  /** Sends a request that the state of a resource forbids, and checks that the refusal names that state. */
  async isRefused(method: string, path: string, state: string | RegExp, body?: unknown): Promise<void> {
    const answer = await this.ask<Refusal>(method, path, body);
    assert.deepEqual([answer.status, answer.body?.code], [409, 'conflict'], answer.text);
    assert.match(
      answer.body.detail,
      typeof state === 'string' ? new RegExp(` in its state ${state}\\b`) : state,
    );
  }

  /** Creates a volume through the gateway and returns its id when it is available. */
  async makeVolume(sizeGb = 1, name = 'made'): Promise<string> {
    const { status, text, body } = await this.ask<Row>('POST', '/api/volumes', { name, size_gb: sizeGb });
    assert.equal(status, 201, text);
    await this.becomes(`/api/volumes/${body.id}`, 'available');
    return body.id;
  }

  /** Waits for a state, and fails at once in the state `error`. */
  async becomes(path: string, state: string, who = this.mine): Promise<void> {
    const status = await eventually(async () => {
      const { body } = await this.ask<Row>('GET', path, undefined, who);
      return [state, 'error'].includes(body.status) ? body.status : undefined;
    }, PATIENCE_MS);
    assert.equal(status, state, path);
  }

  async isGone(path: string, who = this.mine): Promise<void> {
    await eventually(async () => {
      const { status } = await this.ask('GET', path, undefined, who);
      return status === 404 ? true : undefined;
    }, PATIENCE_MS);
  }

  /** Sets a state as an administrator of the cloud, of `volumes` or `snapshots`. */
  async setState(kind: 'volumes' | 'snapshots', id: string, status: string): Promise<void> {
    await this.admin.call('volumev3', 'POST', `/${kind}/${id}/action`, { 'os-reset_status': { status } });
  }

  /** Runs a write whose result must stay in its first state for some requests: the simulated cloud is fast. */
  async slowly<T>(write: () => Promise<T>): Promise<T> {
    const { cloudsim } = this.stack;
    if (cloudsim === null) return write();
    const control = new CloudsimControl(cloudsim.url);
    await control.set({ delayScale: 10 });
    try {
      return await write();
    } finally {
      await control.set({ delayScale: 1 });
    }
  }

  async setQuota(quota_set: Record<string, number>): Promise<void> {
    await this.admin.call('volumev3', 'PUT', `/os-quota-sets/${this.id}`, { quota_set });
  }

  /** Creates a server of the project. */
  async makeServer(): Promise<Prepared> {
    const { images } = await this.cloud.call<{ images: { id: string; name: string }[] }>(
      'image',
      'GET',
      '/v2/images',
    );
    return prepareServer(this.cloud, images.find(({ name }) => name === 'debian-12')?.id ?? '');
  }

  async attach(serverId: string, volumeId: string): Promise<void> {
    await this.cloud.call('compute', 'POST', `/servers/${serverId}/os-volume_attachments`, {
      volumeAttachment: { volumeId },
    });
    await this.becomes(`/api/volumes/${volumeId}`, 'in-use');
  }

  async detach(serverId: string, volumeId: string): Promise<void> {
    await this.cloud.call('compute', 'DELETE', `/servers/${serverId}/os-volume_attachments/${volumeId}`);
    await this.becomes(`/api/volumes/${volumeId}`, 'available');
  }

  /** Removes everything from the project, the project, and the processes. */
  async remove(): Promise<void> {
    await eventually(async () => ((await this.#removeOnce()) === 0 ? true : undefined), PATIENCE_MS);
    await this.admin.call('identity', 'DELETE', `/projects/${this.id}`);
    await this.stack.stop();
  }

  /** Deletes what can be deleted now, and returns how much there was. */
  async #removeOnce(): Promise<number> {
    let count = 0;
    for (const kind of ['volume-transfers', 'backups', 'snapshots', 'volumes']) {
      const answer = await this.cloud.call<Record<string, Row[]>>('volumev3', 'GET', `/${kind}/detail`);
      for (const { id, status } of Object.values(answer)[0] ?? []) {
        count += 1;
        if (kind === 'volumes' && status === 'error_deleting') await this.setState('volumes', id, 'error');
        await this.cloud.call('volumev3', 'DELETE', `/${kind}/${id}`, undefined, [400, 404]);
      }
    }
    return count;
  }
}
