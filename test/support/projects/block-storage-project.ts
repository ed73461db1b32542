import assert from 'node:assert/strict';
import type { ErrorBody } from '../api/client.ts';
import { eventually } from '../eventually.ts';
import { slowly } from '../stacks/slowly.ts';
import type { startTestStack } from '../stacks/test-stack.ts';
import type { Prepared } from './prepared-cloud.ts';
import { TestProject } from './test-project.ts';

interface Row {
  id: string;
  status: string;
}

/** Backups on a real cloud take minutes. */
const TIMEOUT_MS = 300_000;

/** The project of a suite about volumes. */
export class BlockStorageProject extends TestProject {
  static async start(options: Parameters<typeof startTestStack>[0] = {}): Promise<BlockStorageProject> {
    return new BlockStorageProject(await TestProject.prepare(options));
  }

  /** Sends a request that the state of a resource forbids, and checks that the refusal names that state. */
  async isRefused(method: string, path: string, state: string | RegExp, body?: unknown): Promise<void> {
    const answer = await this.ask<ErrorBody>(method, path, body);
    assert.deepEqual([answer.status, answer.body?.code], [409, 'conflict'], answer.text);
    assert.match(
      answer.body.detail,
      typeof state === 'string' ? new RegExp(` in its state ${state}\\b`) : state,
    );
  }

  /** Creates a volume through the gateway and returns its id when it is available. */
  async makeVolume(sizeGb = 1, name = 'made'): Promise<string> {
    const { id } = await this.make<Row>('/api/volumes', { name, size_gb: sizeGb });
    await this.becomes(`/api/volumes/${id}`, 'available');
    return id;
  }

  /** Waits for a state, and fails at once in the state `error`. */
  async becomes(path: string, state: string, who = this.mine): Promise<void> {
    const status = await eventually(async () => {
      const { body } = await this.ask<Row>('GET', path, undefined, who);
      return [state, 'error'].includes(body.status) ? body.status : undefined;
    }, TIMEOUT_MS);
    assert.equal(status, state, path);
  }

  /** Sets a state as an administrator of the cloud, of `volumes` or `snapshots`. */
  async setState(kind: 'volumes' | 'snapshots', id: string, status: string): Promise<void> {
    await this.admin.call('volumev3', 'POST', `/${kind}/${id}/action`, { 'os-reset_status': { status } });
  }

  /**
   * Runs a write whose result must stay in its first state for some requests, because the
   * simulated cloud is fast.
   */
  slowly<T>(write: () => Promise<T>): Promise<T> {
    return slowly(this.stack, write);
  }

  async setQuota(quota_set: Record<string, number>): Promise<void> {
    await this.admin.call('volumev3', 'PUT', `/os-quota-sets/${this.id}`, { quota_set });
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
    await eventually(async () => (await this.#removeOnce()) === 0, TIMEOUT_MS);
    await this.removeEmpty();
  }

  /** Deletes the resources that can be deleted now, and returns the number of all. */
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

/**
 * Prepares a project with a server before the tests of a suite, and removes both after them.
 * @param use gets both, and may prepare more
 */
export function prepareProjectWithServer(
  use: (project: BlockStorageProject, server: Prepared) => void | Promise<void>,
  options: Parameters<typeof startTestStack>[0] = {},
): void {
  let project: BlockStorageProject | undefined;
  let server: Prepared | undefined;

  before(async () => {
    project = await BlockStorageProject.start(options);
    server = await project.makeServer();
    await use(project, server);
  });

  after(async () => {
    await server?.remove();
    await project?.remove();
  });
}
