import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import type { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { preparePrebuiltShare } from '../support/projects/prepared-cloud.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

/**
 * The port of the gateway for machines with `gatewayOption`. Without it, a web server there
 * records POST requests.
 */
const CALLBACK_PORT = 8080;

interface SiteLibrary {
  id: string;
  packages?: string[];
  depends_on?: string[];
  python_version?: string;
  interpreter?: boolean;
  build?: { commands: string[] };
}

/** What a machine needs to act as an instance. */
export interface CreatedInstance {
  id: string;
  /** The user data that the compute service would provide. */
  userData: Buffer;
  upperVolumeId: string;
  /** Option of `boot` for the serial of the second disk. */
  serialOption: string[];
  /** Option of `boot` for the client name and key that the share grants access to. */
  cephUserOption: string[];
}

/** A build that waits for its builder. */
export interface StartedBuild {
  jobId: string;
  shareId: string;
  serverId: string;
  /** The user data that the compute service would provide. */
  userData: Buffer;
}

/** A verification that waits for its verifier. */
export interface StartedVerification {
  jobId: string;
  serverId: string;
  /** The user data that the compute service would provide. */
  userData: Buffer;
  /** Option of `boot` for the serial of the second disk. */
  serialOption: string[];
}

/** A build in the admin API. */
export interface Build {
  job_id: string;
  status: string;
  verification: { status: string; message: string; packages: unknown[]; job_id: string } | null;
  server_id: string | null;
  message: string;
  log_tail: string | null;
}

/** A gateway in front of a simulated cloud, whose shares have the export paths that `boot` serves. */
export class Site {
  readonly #system: SimulatedStack;
  readonly #admin: CloudClient;
  readonly #folders: string[] = [];

  private constructor(system: SimulatedStack, admin: CloudClient) {
    this.#system = system;
    this.#admin = admin;
  }

  static async start(libraries: SiteLibrary[], config: Record<string, unknown> = {}): Promise<Site> {
    const system = await SimulatedStack.start({
      env: { GATEWAY_PUBLIC_URL: `http://10.0.2.2:${CALLBACK_PORT}` },
      config: { ...config, libraries: libraries.map(definitionOf) },
    });
    const { username, password, projectName } = testLogin('admin');
    const identityUrl = system.stack.identityUrl ?? '';
    const admin = await CloudClient.logIn(identityUrl, { username, password, projectName });
    return new Site(system, admin);
  }

  get control(): CloudsimControl {
    return this.#system.control;
  }

  get gateway(): GatewayClient {
    return this.#system.gateway;
  }

  /** Option of `boot` that makes the gateway reachable for the machine. */
  get gatewayOption(): string[] {
    return ['--forward', `${CALLBACK_PORT}:${new URL(this.gateway.url).port}`];
  }

  /** Creates a prebuilt share of the library with this export path. */
  async prebuiltShare(library: string, protocol: 'NFS' | 'CEPHFS', exportPath: string): Promise<void> {
    await this.control.set({ exportPaths: { [protocol]: exportPath } });
    await preparePrebuiltShare(this.#admin, {
      library: { id: library, version: '1' },
      protocol,
      shareType: protocol === 'NFS' ? 'default' : 'cephfs',
    });
  }

  /** Creates an instance through the gateway. */
  async createInstance(fields: Record<string, unknown>): Promise<CreatedInstance> {
    const { status, body, text } = await this.gateway.request<InstanceDetail>('POST', '/api/instances', {
      ...this.#system.request,
      ...fields,
    });
    if (status !== 201) throw new Error(`The creation was answered ${status}: ${text}`);
    const userData = await this.control.userData(body.id);
    const detail = await this.gateway.read<InstanceDetail>(`/api/instances/${body.id}`);
    const upperVolumeId = detail.overlay_upper_volume_id ?? '';
    return {
      id: body.id,
      userData,
      upperVolumeId,
      serialOption: ['--vdb-serial', upperVolumeId.slice(0, 20)],
      cephUserOption: await this.#cephUserOption(detail),
    };
  }

  /** Starts a build, for which the caller acts as the builder. */
  async startBuild(libraryId: string): Promise<StartedBuild> {
    await this.control.set({ guest: { outcome: 'silent' } });
    const administrator = await GatewayClient.logIn(this.gateway.url, testLogin('admin'));
    const { status, body, text } = await administrator.request<{ job_id: string; file_storage_id: string }>(
      'POST',
      `/api/admin/file-storage/build?library_id=${libraryId}`,
    );
    if (status !== 202) throw new Error(`The build was answered ${status}: ${text}`);
    const { job_id: jobId, file_storage_id: shareId } = body;
    const serverId = await eventually(async () => {
      const build = await this.build(jobId);
      if (build.status !== 'building') throw new Error(`The build is ${build.status}: ${build.message}`);
      return build.server_id ?? undefined;
    });
    return { jobId, shareId, serverId, userData: await this.control.userData(serverId) };
  }

  async build(jobId: string): Promise<Build> {
    const administrator = await GatewayClient.logIn(this.gateway.url, testLogin('admin'));
    const builds = await administrator.read<Build[]>('/api/admin/file-storage/builds');
    const found = builds.find(({ job_id }) => job_id === jobId);
    if (found === undefined) throw new Error(`There is no build ${jobId}.`);
    return found;
  }

  /** Stops the builder's server in the simulated cloud, and waits for the end of the build. */
  async builderIsOff({ jobId, serverId }: StartedBuild): Promise<Build> {
    await this.#admin.call('compute', 'POST', `/servers/${serverId}/action`, { 'os-stop': null }, [404, 409]);
    return eventually(async () => {
      const build = await this.build(jobId);
      return build.status === 'building' ? undefined : build;
    });
  }

  /** Starts a verification, for which the caller acts as the verifier. */
  async startVerification(shareId: string): Promise<StartedVerification> {
    await this.control.set({ guest: { outcome: 'silent' } });
    const administrator = await GatewayClient.logIn(this.gateway.url, testLogin('admin'));
    const path = `/api/admin/file-storage/${shareId}/verify`;
    const { status, body, text } = await administrator.request<{ job_id: string }>('POST', path);
    if (status !== 202) throw new Error(`The verification was answered ${status}: ${text}`);
    const serverId = await eventually(() => this.#serverOf(body.job_id));
    const userData = await this.control.userData(serverId);
    const { files } = readFirstBootData(userData.toString('base64'));
    const plan = files.get('/etc/gateway/first-boot/plan') ?? '';
    const upperVolumeId = /^upper_volume_id (.*)$/m.exec(plan)?.[1] ?? '';
    return {
      jobId: body.job_id,
      serverId,
      userData,
      serialOption: ['--vdb-serial', upperVolumeId.slice(0, 20)],
    };
  }

  /** Stops the verifier's server in the simulated cloud, and waits for the result on the build. */
  async verifierIsOff(
    build: Build,
    { jobId, serverId }: StartedVerification,
  ): Promise<NonNullable<Build['verification']>> {
    await this.#admin.call('compute', 'POST', `/servers/${serverId}/action`, { 'os-stop': null }, [404, 409]);
    return eventually(async () => {
      const { verification } = await this.build(build.job_id);
      const isEnded = verification?.job_id === jobId && verification.status !== 'running';
      return isEnded ? verification : undefined;
    });
  }

  async #serverOf(jobId: string): Promise<string | undefined> {
    const { servers } = await this.#admin.call<{
      servers: { id: string; metadata: Record<string, string>; status: string }[];
    }>('compute', 'GET', '/servers/detail?all_tenants=1');
    return servers.find(({ metadata, status }) => metadata.gateway_job_id === jobId && status === 'ACTIVE')
      ?.id;
  }

  /** Undefined if the share does not exist. */
  async shareMetadata(shareId: string): Promise<Record<string, string> | undefined> {
    const answer = await this.#admin.call<{ share?: { metadata: Record<string, string> } }>(
      'sharev2',
      'GET',
      `/shares/${shareId}`,
      undefined,
      [404],
    );
    return answer.share?.metadata;
  }

  async #cephUserOption({ overlay_share_ids, job_id }: InstanceDetail): Promise<string[]> {
    for (const shareId of overlay_share_ids) {
      const { access_list } = await this.#admin.call<{ access_list: AccessRule[] }>(
        'sharev2',
        'GET',
        `/share-access-rules?share_id=${shareId}`,
      );
      const rule = access_list.find(({ metadata }) => metadata.gateway_job_id === job_id);
      if (rule?.access_type === 'cephx') return ['--cephfs-user', `${rule.access_to}:${rule.access_key}`];
    }
    return [];
  }

  /** A folder with these files, those in `bin/` executable. Removed by `stop`. */
  folder(files: Record<string, string> = {}): string {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-firstboot-share-'));
    chmodSync(folder, 0o755);
    this.#folders.push(folder);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content, { mode: name.startsWith('bin/') ? 0o755 : 0o644 });
    }
    return folder;
  }

  async stop(): Promise<void> {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
    await this.#system.stop();
  }
}

interface InstanceDetail {
  id: string;
  overlay_share_ids: string[];
  overlay_upper_volume_id: string | null;
  job_id: string;
}

interface AccessRule {
  access_type: string;
  access_to: string;
  access_key: string | null;
  metadata: Record<string, string>;
}

function definitionOf({
  id,
  packages = [],
  depends_on = [],
  build = { commands: [] },
  ...python
}: SiteLibrary): Record<string, unknown> {
  return { id, name: id, version: '1', packages, depends_on, build, ...python };
}
