import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { newRequestId } from '@gateway/core';
import type { Leftovers } from '@gateway/resources';
import { Redis } from 'ioredis';
import { type RunningRedis, startRedis } from '../../scripts/redis.ts';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import {
  demoBuildSettings,
  demoLiteSettings,
  demoServiceUser,
  environmentWithoutSettings,
} from '../../scripts/stack-environment.ts';
import {
  addRestoreJob,
  editKustomization,
  findKubectl,
  type KubernetesObject,
  overlayObjects,
  type PodTemplate,
  podTemplates,
  secretsFile,
} from '../deploy/kubernetes-objects.ts';
import { addListener } from '../deploy/listener.ts';
import { mountPod } from '../deploy/pod-config.ts';
import { differences } from '../faults/inventory-differences.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl, type Inventory } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { type Certificates, makeCertificates } from '../support/doubles/certificates.ts';
import { ReportGate } from '../support/doubles/report-gate.ts';
import { eventually } from '../support/eventually.ts';
import { createCluster, deleteCluster } from '../support/lite/clusters.ts';
import { testLibraries } from '../support/projects/prepared-cloud.ts';
import { createRedisUser } from '../support/redis/redis-user.ts';
import { copyStore } from '../support/redis/store-copy.ts';
import { skipWithout } from '../support/skip-without.ts';
import { extractRelease, lastRelease } from '../support/source/last-release.ts';
import { root } from '../support/source/workspaces.ts';
import { serviceLogin, simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { autoBackupPath, setUpAutoBackup } from '../support/subjects/auto-backups.ts';
import { endedBuild, startBuild } from '../support/subjects/builds.ts';
import { LeftoverList } from '../support/subjects/leftovers.ts';
import { type RemainsOfGateway, remainsOfGateway } from '../support/subjects/remains-of-gateway.ts';
import { ServiceUser } from '../support/subjects/service-user.ts';

const ROLES = ['api', 'worker'] as const;
type Role = (typeof ROLES)[number];

const SERVICE_PASSWORD = 'rotated-secret';
const [LIBRARY] = testLibraries;
const SETTINGS = `
# A creation whose service answers 503 lasts through all rollouts.
time_limits: { step_retry_seconds: 600 }
jobs: { sweep_seconds: 2, late_call_seconds: 2 }
builds: { image: debian-12, flavor: m1.small }
libraries: ${JSON.stringify(testLibraries)}
lite:
  image: debian-12
  server_flavor: m1.small
  agent_flavor: m1.tiny
  server_volume_size_gb: 1
  agent_volume_size_gb: 1
  use_reported_address: true
  never_contacted: [169.254.0.0/16]
  plugins: { cloud_controller_enabled: true }
`;
const ALL_RIGHTS = ['~*', '&*', '+@all'];
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

/** Three instances with their addresses and boot volumes, and a volume of its own. */
const KEPT_BY_USERS = { servers: 3, ports: 3, floating_ips: 3, attachments: 3, volumes: 4 };

/** What a stack would set by itself: here, only what the manifests say counts. */
const withoutDefaults = Object.fromEntries(
  Object.keys({ ...demoServiceUser, ...demoBuildSettings, ...demoLiteSettings }).map((name) => [name, '']),
);

interface Pod {
  process: ServerProcess;
  /** Where its files are. */
  folder: string;
}

/** The processes of a rollout, and what they were started from. */
interface Rollout {
  templates: PodTemplate[];
  pods: Record<Role, Pod>;
  url: string;
}

interface Change {
  /** Which processes are replaced at once; all by default. */
  turns?: readonly (readonly Role[])[];
  /** The folder of the release that the new processes are of. */
  source?: string;
}

/**
 * Each step changes files of the manifests as docs/operations.md says, renders them, and replaces the
 * processes as a Deployment does: the new ones start from what the new pods read, before the old ones stop. A
 * session from before the first change lasts through all of them, and so does a creation.
 */
describe("an operator's day with the Kubernetes manifests", function () {
  this.timeout(300_000);
  let kubectl: string;
  let folder: string;
  let redis: RunningRedis;
  let stack: Stack;
  let session: GatewayClient;
  let creation: EventStream;
  let control: CloudsimControl;
  let gate: ReportGate;
  let baseline: Inventory;
  let running: Rollout | undefined;
  let settings = SETTINGS;
  let tag = '0.1.0';
  let certificates: Certificates | undefined;
  const trusted = getCACertificates('default');
  const secrets: Record<string, string> = { GATEWAY_SERVICE_PASSWORD: 'gateway-secret' };
  const older = newKey('older');
  const newer = newKey('newer');

  before(async function () {
    kubectl = findKubectl() ?? skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
    folder = mkdtempSync(join(tmpdir(), 'gateway-day-'));
    redis = await startRedis();
    gate = await ReportGate.start();
    gate.passTo(() => running?.url ?? '');
    stack = await startTestStack({ ...simulatedCloud, redisUrl: redis.url, apis: 0, workers: 0 });
    secrets.REDIS_URL = await createRedisUser(redis, 'gateway', ALL_RIGHTS);
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    baseline = await inventory();
  });
  after(async () => {
    await stack?.stop();
    await redis?.stop();
    await gate?.stop();
    certificates?.remove();
    setDefaultCACertificates(trusted);
    if (folder) rmSync(folder, { recursive: true });
  });

  async function inventory(): Promise<Inventory> {
    return new Map([...(await control.inventory()), ...(await control.rights())]);
  }

  function render(further: (copy: string, overlay: string) => void = () => {}): KubernetesObject[] {
    return overlayObjects(kubectl, 'small', (copy, overlay) => {
      const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(join(copy, secretsFile), lines.join(''));
      writeFileSync(join(overlay, 'small.yaml'), settings);
      editKustomization(overlay, (kustomization) => {
        kustomization.images = [{ name: 'registry.example.org/cloud-resource-gateway', newTag: tag }];
        kustomization.configMapGenerator = [
          {
            name: 'gateway-environment',
            behavior: 'merge',
            literals: [
              `OS_AUTH_URL=${stack.identityUrl}`,
              'OS_REGION_NAME=RegionOne',
              `GATEWAY_PUBLIC_URL=${gate.url}`,
            ],
          },
          { name: 'gateway-config', behavior: 'merge', files: ['small.yaml'] },
        ];
      });
      if (certificates !== undefined) addListener(overlay, certificates.server);
      further(copy, overlay);
    });
  }

  function templatesOf(objects: KubernetesObject[]): PodTemplate[] {
    return podTemplates(objects)
      .filter(({ name }) => name !== 'redis')
      .map(({ template }) => template);
  }

  async function startPod(objects: KubernetesObject[], role: Role, source?: string): Promise<Pod> {
    const files = mkdtempSync(join(folder, `${role}-`));
    const pod = mountPod(objects, `gateway-${role}`, files);
    // Metrics and proxies of the tests have the address of this machine.
    const environment = { ...withoutDefaults, ...pod, HOST: '127.0.0.1' };
    const process = role === 'api' ? stack.addApi(environment, source) : stack.addWorker(environment, source);
    return { process: await process, folder: files };
  }

  /** Starts pods, and stops those that they replace. */
  async function replace(objects: KubernetesObject[], { turns = [ROLES], source }: Change): Promise<Rollout> {
    const templates = templatesOf(objects);
    for (const roles of turns) {
      const before = running;
      const started = await Promise.all(
        roles.map(async (role) => [role, await startPod(objects, role, source)] as const),
      );
      const pods = { ...before?.pods, ...Object.fromEntries(started) } as Rollout['pods'];
      running = { templates, pods, url: pods.api.process.url };
      await Promise.all(roles.map((role) => before?.pods[role].process.stop()));
    }
    return running ?? assert.fail('Nothing was replaced.');
  }

  /** Applies the manifests. @throws if the pods of before and after are the same, so that nothing restarts */
  async function roll(change: Change = {}): Promise<Rollout> {
    const objects = render();
    for (const [at, template] of templatesOf(objects).entries())
      assert.notDeepEqual(template, running?.templates[at], ROLES[at]);
    return replace(objects, change);
  }

  async function stopPods(): Promise<void> {
    await Promise.all(ROLES.map((role) => running?.pods[role].process.stop()));
  }

  /** Begins a creation, which lasts until the faults of the cloud are removed. */
  async function beginCreation(name: string): Promise<void> {
    const requestId = newRequestId();
    const call = { service: 'block-storage', operation: 'volumes.get', requestId };
    await control.addFault({ ...call, status: 503, times: 0 });
    creation = await session.createInstance(await session.smallInstanceRequest(name), requestId);
    await eventually(async () => {
      const calls = await control.calls(requestId);
      return calls.some(({ operation }) => operation === 'volumes.get');
    });
  }

  async function endCreation(): Promise<void> {
    await control.clear();
    await eventually(async () => (await statusOfCreation()) === 'completed', 60_000);
    creation.close();
  }

  const jobOfCreation = () => creation.headers.get('x-job-id') ?? '';

  async function statusOfCreation(): Promise<string> {
    return (await session.read<{ status: string }>(`/api/jobs/${jobOfCreation()}`)).status;
  }

  /** The session continues at the new processes. */
  async function assertSessionLasts(url: string): Promise<void> {
    session = new GatewayClient(url, session.token, session.projectId);
    const { status, text } = await session.request('GET', '/api/auth/me');
    assert.equal(status, 200, text);
  }

  it('installs, and a creation begins', async () => {
    secrets.GATEWAY_SEALING_KEYS = older;

    const { url } = await roll();

    session = await GatewayClient.logIn(url, testLogin('demo'));
    await beginCreation('e2e-day');
  });

  it('adds a setting to those of the manifests', async () => {
    settings += 'site: { sisters: [{ name: South, region: RegionTwo, url: "https://south.example.org" }] }\n';

    const { url } = await roll();

    await assertSessionLasts(url);
    assert.equal(await statusOfCreation(), 'running');
    const { sisters } = await session.read<{ sisters: { name: string }[] }>('/api/site-config');
    assert.deepEqual(
      sisters.map(({ name }) => name),
      ['South'],
    );
  });

  it('adds a sealing key, puts it first, and the creation completes', async () => {
    for (const keys of [`${older},${newer}`, `${newer},${older}`]) {
      secrets.GATEWAY_SEALING_KEYS = keys;
      const { url } = await roll();
      await assertSessionLasts(url);
      assert.equal(await statusOfCreation(), 'running');
    }

    await endCreation();
  });

  it('changes the password of the service user', async () => {
    const serviceUser = await ServiceUser.find(stack.identityUrl ?? '');
    await serviceUser.setPassword(SERVICE_PASSWORD);
    secrets.GATEWAY_SERVICE_PASSWORD = SERVICE_PASSWORD;

    const { url } = await roll();

    await assertSessionLasts(url);
    await eventually(async () => {
      const health = await session.read<{ service_user: string }>('/api/health?deep=true');
      return health.service_user === 'ok';
    }, 60_000);
  });

  it('changes the password of Redis, which has two of them meanwhile', async () => {
    const server = new Redis(redis.url);
    try {
      await server.call('ACL', 'SETUSER', 'gateway', '>another');
      secrets.REDIS_URL = secrets.REDIS_URL?.replace(':secret@', ':another@') ?? '';
      const { url } = await roll();
      await assertSessionLasts(url);
      await server.call('ACL', 'SETUSER', 'gateway', '<secret');
      // Each connection is made again, with the password that its process has.
      await server.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

      await eventually(async () => {
        const { redis: state } = await session.read<{ redis: string }>('/api/health');
        return state === 'ok';
      });
      await assertSessionLasts(url);
    } finally {
      server.disconnect();
    }
  });

  it('removes the older sealing key, and new sessions and jobs work', async () => {
    assert.equal((await session.request('POST', '/api/auth/logout')).status, 204);
    secrets.GATEWAY_SEALING_KEYS = newer;

    const { url, pods } = await roll();

    session = await GatewayClient.logIn(url, testLogin('demo'));
    await completeInstance('e2e-sealed');
    for (const { process } of Object.values(pods))
      assert.deepEqual(
        process.logs().filter((line) => line.includes('"key_id"')),
        [],
      );
  });

  it('listens with TLS, and takes a renewed certificate without a restart', async () => {
    certificates = await makeCertificates(['127.0.0.1']);
    setDefaultCACertificates([...trusted, readFileSync(certificates.caFile, 'utf8')]);
    const { pods, templates, url } = await roll();
    await assertSessionLasts(url);
    await beginCreation('e2e-encrypted');
    const served = () => Promise.all(ROLES.map((role) => servedCertificate(pods[role].process.port)));
    const before = await served();

    await certificates.renewServer();
    const objects = render();
    assert.deepEqual(templatesOf(objects), templates, 'the pods stay');
    // The node writes what has changed in a mounted Secret.
    for (const role of ROLES) mountPod(objects, `gateway-${role}`, pods[role].folder);
    await eventually(async () => {
      const now = await served();
      return now.every((serial, at) => serial !== before[at]);
    });

    await assertSessionLasts(url);
    await control.clear();
    // Of a connection from before the renewal.
    assert.equal((await messagesOf(creation)).at(-1)?.step, 'COMPLETED');
  });

  it('brings back a copy of Redis by the documented steps', async () => {
    const volume = await session.request<{ id: string }>('POST', '/api/volumes', {
      name: 'kept',
      size_gb: 1,
    });
    await beginCreation('e2e-interrupted');
    const copy = await copyStore(redis);
    await setUpAutoBackup(session, volume.body.id);

    await stopPods();
    await control.clear();
    await copy.putBack(redis);
    copy.remove();
    await createRedisUser(redis, 'gateway', [...ALL_RIGHTS, '>another', '<secret']);
    const objects = render((manifests, overlay) =>
      addRestoreJob(manifests, overlay, new Date(copy.copiedAt).toISOString()),
    );
    assert.match(await runRestoreJob(objects), /^1 jobs have ended as interrupted/);
    assert.deepEqual(templatesOf(objects), running?.templates);
    const { url } = await replace(objects, {});

    await assertSessionLasts(url);
    const { error } = await session.read<{ error: string }>(`/api/jobs/${jobOfCreation()}`);
    assert.match(error, /restored from an older copy/);
    // It began after the copy. Its delegation stays.
    assert.equal((await session.request('GET', autoBackupPath(volume.body.id))).status, 404);
    await setUpAutoBackup(session, volume.body.id);
  });

  it('goes back to another release and up again, in the documented order', async () => {
    const name = lastRelease();
    const release = name === null ? null : extractRelease(name);
    try {
      await beginCreation('e2e-upgraded');
      tag = 'of-before';
      const back = await roll({ turns: [['api'], ['worker']], source: release?.folder });
      await assertSessionLasts(back.url);
      await eventually(async () => {
        const lines = back.pods.worker.process.logs();
        return lines.some((line) => line.includes(jobOfCreation()));
      });
      assert.equal(await statusOfCreation(), 'running');

      tag = '0.1.0';
      const { url } = await roll({ turns: [['worker'], ['api']] });

      await assertSessionLasts(url);
      await endCreation();
    } finally {
      release?.remove();
    }
  });

  it('is decommissioned, and the cloud has nothing of it', async () => {
    await control.set({ delayScale: 0.05 });
    const operator = await GatewayClient.logIn(session.url, testLogin('admin'));
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    const user = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const service = await CloudClient.logIn(stack.identityUrl ?? '', {
      ...serviceLogin,
      password: SERVICE_PASSWORD,
    });
    const remains = () => remainsOfGateway(admin, service);
    const { body: build } = await startBuild(operator, LIBRARY?.id ?? '');
    assert.equal((await endedBuild(operator, build.job_id)).status, 'ready');
    const layered = await completeInstance('e2e-layered', [LIBRARY?.id ?? '']);
    const cluster = (await createCluster(session, { name: 'E2E_day', agent_count: 1 })).at(-1);
    assert.equal(cluster?.step, 'completed', cluster?.error ?? '');
    const instances = await session.read<{ id: string; name: string }[]>('/api/instances?refresh=true');
    const [lost] = instances.filter(({ name }) => name === 'e2e-day');
    await user.call('compute', 'DELETE', `/servers/${lost?.id}`);
    assert.deepEqual(
      Object.keys(emptyIn(await remains())),
      ['machines'],
      'the search finds all that is there',
    );

    // What only the gateway can remove, except for an instance with a library that its project keeps.
    assert.equal((await deleteCluster(session, cluster.cluster_id)).status, 204);
    const volumes = await session.read<{ id: string; name: string }[]>('/api/volumes');
    const kept = volumes.find(({ name }) => name === 'kept');
    assert.equal((await session.request('DELETE', autoBackupPath(kept?.id ?? ''))).status, 204);
    await eventually(async () => {
      const { items } = await operator.read<{ items: object[] }>('/api/admin/jobs?has_ended=false');
      return items.length === 0;
    });
    const removed = await removeLeftovers(operator);
    assert.ok(
      removed.some((name) => name.startsWith('e2e-interrupted-boot')),
      removed.join(),
    );
    await stopPods();
    await redis.stop();
    await user.call('compute', 'DELETE', `/servers/${layered}`);
    const found = await remains();
    const { trusts, rules, libraries } = found;
    assert.ok(trusts.length > 0, 'that of the lost auto backup');
    assert.deepEqual([rules.length, libraries.length], [1, 1]);
    assert.deepEqual([found.credentials, found.machines], [[], []]);
    for (const { remove } of Object.values(found).flat()) await remove();

    await eventually(async () => {
      assert.deepEqual(Object.values(await remains()).flat(), []);
      assert.deepEqual(differences(baseline, await inventory(), KEPT_BY_USERS), []);
      return true;
    });
    await admin.call('identity', 'DELETE', `/users/${service.userId}`);
    await admin.call('identity', 'DELETE', `/projects/${service.projectId}`);
  });

  /** Creates an instance to its end, and returns its id. */
  async function completeInstance(name: string, libraries: string[] = []): Promise<string> {
    const body = { ...(await session.smallInstanceRequest(name)), libraries };
    const last = (await messagesOf(await session.createInstance(body))).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    return last.instance_id ?? '';
  }

  /** Runs the Job of a restore, which is all that the documented command selects. Returns its output. */
  async function runRestoreJob(objects: KubernetesObject[]): Promise<string> {
    const [job, ...others] = objects.filter(
      ({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'gateway-restore',
    );
    assert.deepEqual([job?.kind, others], ['Job', []]);
    const [{ command, args }] = (job as KubernetesObject).spec.template.spec.containers;
    const pod = mountPod(objects, 'gateway-restore', mkdtempSync(join(folder, 'restore-')));
    const { stdout } = await promisify(execFile)(process.execPath, [...command.slice(1), ...args], {
      cwd: root,
      env: { ...environmentWithoutSettings(), ...pod },
    });
    return stdout;
  }

  /** Removes all leftovers, as the operator has decided to, and returns their names. */
  async function removeLeftovers(operator: GatewayClient): Promise<string[]> {
    const list = new LeftoverList((method, path, body) => operator.request(method, path, body));
    const names: string[] = [];
    await eventually(async () => {
      const { items } = await operator.read<Leftovers>('/api/admin/leftovers?refresh=true');
      for (const { type, id, name } of items) {
        names.push(name);
        await list.remove(type, id, { force: true });
      }
      return items.length === 0;
    }, 120_000);
    return names;
  }
});

/** The serial number of the certificate of a new connection. */
async function servedCertificate(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

function emptyIn(remains: RemainsOfGateway): Partial<RemainsOfGateway> {
  return Object.fromEntries(Object.entries(remains).filter(([, found]) => found.length === 0));
}
