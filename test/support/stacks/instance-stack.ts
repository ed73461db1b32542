import assert from 'node:assert/strict';
import type { ImageRecord } from '@gateway/openstack';
import type { Stack, StackOptions } from '../../../scripts/stack.ts';
import type { ErrorBody } from '../api/client.ts';
import { CloudClient, type ResourceIds } from '../clients/cloud-client.ts';
import { type ApiResponse, GatewayClient } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';
import { type PreparedProject, prepareProject } from '../projects/prepared-project.ts';
import { startTestStack, testLogin } from './test-stack.ts';

/** The gateway, a project of its own with a routed network, and callers without access to the project. */
export class InstanceStack {
  readonly stack: Stack;
  readonly admin: CloudClient;
  readonly project: PreparedProject;
  readonly gateway: GatewayClient;
  readonly #strangers: ReadonlyMap<string, GatewayClient>;
  readonly #baseline: ResourceIds;

  private constructor(parts: {
    stack: Stack;
    admin: CloudClient;
    project: PreparedProject;
    gateway: GatewayClient;
    strangers: ReadonlyMap<string, GatewayClient>;
    baseline: ResourceIds;
  }) {
    this.stack = parts.stack;
    this.admin = parts.admin;
    this.project = parts.project;
    this.gateway = parts.gateway;
    this.#strangers = parts.strangers;
    this.#baseline = parts.baseline;
  }

  static async start(options: StackOptions = {}): Promise<InstanceStack> {
    const stack = await startTestStack(options);
    try {
      const identityUrl = stack.identityUrl ?? '';
      const admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
      const project = await prepareProject(identityUrl, admin);
      const strangers = {
        'an administrator of another project': testLogin('admin'),
        'a member of another project': testLogin('alice'),
        'the same user in another project': { ...testLogin('demo'), projectName: 'demo2' },
      };
      const clients = new Map<string, GatewayClient>();
      for (const [who, login] of Object.entries(strangers)) {
        clients.set(who, await GatewayClient.logIn(stack.url, login));
      }
      return new InstanceStack({
        stack,
        admin,
        project,
        gateway: await GatewayClient.logIn(stack.url, project.login),
        strangers: clients,
        baseline: await project.cloud.resourceIds(),
      });
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Checks that the tests have left nothing in the project, and removes it. */
  async stop(): Promise<void> {
    try {
      await eventually(async () => {
        assert.deepEqual(await this.project.cloud.resourceIds(), this.#baseline);
        return true;
      });
      await this.project.remove();
    } finally {
      await this.stack.stop();
    }
  }

  /** Creates a small instance and returns its id. */
  async create(more: object = {}): Promise<string> {
    const request = await this.gateway.smallInstanceRequest('e2e-instance');
    const last = (await this.gateway.messagesOfCreation({ ...request, ...more })).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    return last.instance_id ?? '';
  }

  /** Deletes an instance, whatever state it is in. */
  async delete(instanceId: string | undefined): Promise<void> {
    if (instanceId === undefined) return;
    const answer = await this.gateway.request('DELETE', `/api/instances/${instanceId}`);
    assert.ok([204, 404].includes(answer.status), answer.text);
  }

  /** Waits until the instance has the status and no task is running. */
  async untilStatus(instanceId: string, status: string): Promise<void> {
    await eventually(async () => {
      const detail = await this.gateway.read<{ status: string; task_state: string | null }>(
        `/api/instances/${instanceId}`,
      );
      assert.deepEqual([detail.status, detail.task_state], [status, null]);
      return true;
    });
  }

  ask<T = unknown>(method: string, path: string, body?: object): Promise<ApiResponse<T>> {
    return this.gateway.request<T>(method, `/api/instances/${path}`, body);
  }

  /** Checks that callers from other projects get a 404. */
  assertHidden(method: string, path: string, body?: object): Promise<void> {
    return this.assertHiddenAt(method, `/api/instances/${path}`, body);
  }

  /** The same for something that is not below an instance. */
  async assertHiddenAt(method: string, path: string, body?: object): Promise<void> {
    for (const [who, client] of this.#strangers) {
      const answer = await client.request<ErrorBody>(method, path, body);
      assert.deepEqual([answer.status, answer.body?.code], [404, 'not_found'], `${who}: ${answer.text}`);
    }
  }

  /** A volume of the project, available. */
  async createVolume(name: string): Promise<string> {
    const { cloud } = this.project;
    const { volume } = await cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name, size: 1 },
    });
    await this.untilVolume(volume.id, 'available');
    return volume.id;
  }

  /** An image of the project that rescues instances. */
  async makeRescueImage(): Promise<string> {
    const { cloud } = this.project;
    const { id } = await cloud.call<{ id: string }>('image', 'POST', '/v2/images', {
      name: 'rescue',
      disk_format: 'raw',
      container_format: 'bare',
      hw_rescue_bus: 'virtio',
      hw_rescue_device: 'disk',
    });
    await cloud.upload('image', `/v2/images/${id}/file`, 'a disk');
    return id;
  }

  /** The images that the project owns. */
  async images(): Promise<ImageRecord[]> {
    const { cloud } = this.project;
    const path = `/v2/images?owner=${cloud.projectId}`;
    return (await cloud.call<{ images: ImageRecord[] }>('image', 'GET', path)).images;
  }

  async removeImages(): Promise<void> {
    for (const { id } of await this.images()) {
      await this.project.cloud.call('image', 'DELETE', `/v2/images/${id}`, undefined, [404]);
    }
  }

  async untilVolume(volumeId: string, status: string): Promise<void> {
    await eventually(async () => {
      const { volume } = await this.project.cloud.call<{ volume: { status: string } }>(
        'volumev3',
        'GET',
        `/volumes/${volumeId}`,
      );
      assert.equal(volume.status, status);
      return true;
    });
  }
}
