import { randomUUID } from 'node:crypto';
import type { Stack } from '../../../scripts/stack.ts';
import { CloudClient } from '../clients/cloud-client.ts';
import { GatewayClient } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';
import { testLogin } from '../stacks/test-stack.ts';
import { type AutoBackup, autoBackupPath, DueTimes } from '../subjects/auto-backups.ts';
import { type Prepared, prepareServer } from './prepared-cloud.ts';
import { type PreparedMember, prepareMember } from './prepared-member.ts';

interface Backup {
  id: string;
  name: string;
  status: string;
  volume_id: string;
  metadata: Record<string, string>;
  is_incremental: boolean;
}

const END_MS = 240_000;

/** A project of its own with volumes, auto backups, and their due times. */
export class AutoBackupProject {
  gateway: GatewayClient;
  cloud: CloudClient;
  readonly member: PreparedMember;
  readonly admin: CloudClient;
  readonly due: DueTimes;

  private constructor(parts: {
    gateway: GatewayClient;
    member: PreparedMember;
    admin: CloudClient;
    due: DueTimes;
  }) {
    this.gateway = parts.gateway;
    this.cloud = parts.member.cloud;
    this.member = parts.member;
    this.admin = parts.admin;
    this.due = parts.due;
  }

  static async prepare({ identityUrl, redisUrl, url }: Stack, keyPrefix: string): Promise<AutoBackupProject> {
    const admin = await CloudClient.logIn(identityUrl ?? '', testLogin('admin'));
    const member = await prepareMember(identityUrl ?? '', admin);
    const gateway = await GatewayClient.logIn(url, member.login);
    return new AutoBackupProject({ gateway, member, admin, due: new DueTimes(redisUrl, keyPrefix) });
  }

  /**
   * Logs in again: a change of the account or its roles has revoked all tokens, including
   * those of the same second.
   */
  async logIn({ identityUrl, url }: Stack): Promise<void> {
    await eventually(async () => {
      this.gateway = await GatewayClient.logIn(url, this.member.login);
      this.cloud = await CloudClient.logIn(identityUrl ?? '', this.member.login);
      await this.cloud.call('volumev3', 'GET', '/volumes');
      // One read for each service that the tests use, because each has its own cache of tokens.
      for (const path of ['/api/volumes?refresh=true', '/api/profile']) {
        if ((await this.gateway.request('GET', path)).status !== 200) return undefined;
      }
      return true;
    });
  }

  /** The id of a new volume that is available. */
  async volume(): Promise<string> {
    const { volume } = await this.cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: `backed-up-${randomUUID()}`, size: 1 },
    });
    await this.volumeHas(volume.id, 'available');
    return volume.id;
  }

  async volumeHas(id: string, wanted: string): Promise<void> {
    await eventually(async () => {
      const { volume } = await this.cloud.call<{ volume: { status: string } }>(
        'volumev3',
        'GET',
        `/volumes/${id}`,
      );
      return volume.status === wanted;
    });
  }

  /** A server that has the volume attached. */
  async serverWith(volumeId: string): Promise<Prepared> {
    const server = await prepareServer(this.cloud);
    await this.cloud.call('compute', 'POST', `/servers/${server.id}/os-volume_attachments`, {
      volumeAttachment: { volumeId },
    });
    await this.volumeHas(volumeId, 'in-use');
    return server;
  }

  async deleteVolume(id: string): Promise<void> {
    await this.cloud.call('volumev3', 'DELETE', `/volumes/${id}`, undefined, [404]);
    await eventually(async () => {
      const path = `/volumes/${id}`;
      const found = await this.cloud.call<{ volume?: object }>('volumev3', 'GET', path, undefined, [404]);
      return found.volume === undefined;
    });
  }

  /** A backup that the test makes without the gateway. */
  async backUp(volumeId: string, more: object = {}): Promise<string> {
    const { backup } = await this.cloud.call<{ backup: { id: string } }>('volumev3', 'POST', '/backups', {
      backup: { volume_id: volumeId, name: 'by hand', ...more },
    });
    await eventually(async () => (await this.backups(volumeId)).some(isAvailable(backup.id)), END_MS);
    await this.volumeHas(volumeId, 'available');
    return backup.id;
  }

  /** The backups of a volume, oldest first, without those that are being deleted. */
  async backups(volumeId: string): Promise<Backup[]> {
    const { backups } = await this.cloud.call<{ backups: (Backup & { created_at: string })[] }>(
      'volumev3',
      'GET',
      '/backups/detail',
    );
    return backups
      .filter((backup) => backup.volume_id === volumeId && backup.status !== 'deleting')
      .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.name.localeCompare(b.name));
  }

  async names(volumeId: string): Promise<string[]> {
    return (await this.backups(volumeId)).map(({ name }) => name);
  }

  /** The configuration; null without one. */
  async read(volumeId: string): Promise<AutoBackup | null> {
    const answer = await this.gateway.request<AutoBackup>('GET', autoBackupPath(volumeId));
    if (answer.status !== 200 && answer.status !== 404) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.status === 200 ? answer.body : null;
  }

  /** The configuration once the outcome of a run is recorded that ended after `since`. */
  async outcome(volumeId: string, since: AutoBackup | null = null): Promise<AutoBackup> {
    return eventually(async () => {
      const record = await this.read(volumeId);
      const isNew = record?.last_status != null && record.last_run_at !== since?.last_run_at;
      return isNew ? record : undefined;
    }, END_MS);
  }

  /** Makes the next due time come now, and waits until its job has ended. Returns the job's status. */
  async run(configurationId: string): Promise<string> {
    const { jobId } = await this.due.comesNow(configurationId);
    return this.jobEnd(jobId);
  }

  async jobEnd(jobId: string): Promise<string> {
    return eventually(async () => {
      const answer = await this.gateway.request<{ status: string }>('GET', `/api/jobs/${jobId}`);
      const isOver = ['completed', 'failed', 'cancelled'].includes(answer.body?.status);
      return answer.status === 200 && isOver ? answer.body.status : undefined;
    }, END_MS);
  }

  async hasNoTrust(): Promise<void> {
    await eventually(async () => (await this.cloud.trusts()).length === 0);
  }

  /** Deletes all auto backups, backups and volumes of the project. */
  async clear(): Promise<void> {
    const answer = await this.gateway.request<AutoBackup[]>(
      'POST',
      '/api/volumes/backups/auto-backup/configs',
    );
    for (const { volume_id } of answer.body) await this.gateway.request('DELETE', autoBackupPath(volume_id));
    await this.#removeAll('backups');
    await this.#removeAll('volumes');
    await this.hasNoTrust();
  }

  async remove(): Promise<void> {
    await this.clear();
    await this.due.close();
    await this.member.remove();
  }

  async #removeAll(kind: 'backups' | 'volumes'): Promise<void> {
    await eventually(async () => {
      const found = await this.cloud.call<Record<string, { id: string }[]>>('volumev3', 'GET', `/${kind}`);
      for (const { id } of found[kind] ?? []) {
        await this.cloud.call('volumev3', 'DELETE', `/${kind}/${id}`, undefined, [400, 404]);
      }
      return found[kind]?.length === 0;
    }, END_MS);
  }
}

function isAvailable(id: string) {
  return (backup: Backup) => backup.id === id && backup.status === 'available';
}
