import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type RunningRedis, startRedis } from '../../scripts/redis.ts';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { demoBuildSettings, demoLiteSettings, demoServiceUser } from '../../scripts/stack-environment.ts';
import {
  editKustomization,
  findKubectl,
  type KubernetesObject,
  overlayObjects,
  type PodTemplate,
  podTemplates,
  secretsFile,
} from '../deploy/kubernetes-objects.ts';
import { mountPod } from '../deploy/pod-config.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { createRedisUser } from '../support/redis/redis-user.ts';
import { skipWithout } from '../support/skip-without.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { ServiceUser } from '../support/subjects/service-user.ts';

const ROLES = ['api', 'worker'] as const;
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

/** What a stack would set by itself: here, only what the manifests say counts. */
const withoutDefaults = Object.fromEntries(
  Object.keys({ ...demoServiceUser, ...demoBuildSettings, ...demoLiteSettings }).map((name) => [name, '']),
);

/** The processes of a rollout, and what they were started from. */
interface Rollout {
  templates: PodTemplate[];
  processes: ServerProcess[];
  url: string;
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
  let running: Rollout | undefined;
  // A creation whose service answers 503 lasts through all rollouts.
  let settings = 'time_limits: { step_retry_seconds: 600 }\n';
  const secrets: Record<string, string> = { GATEWAY_SERVICE_PASSWORD: 'gateway-secret' };
  const older = newKey('older');
  const newer = newKey('newer');

  before(async function () {
    kubectl = findKubectl() ?? skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
    folder = mkdtempSync(join(tmpdir(), 'gateway-day-'));
    redis = await startRedis();
    stack = await startTestStack({ ...simulatedCloud, redisUrl: redis.url, apis: 0, workers: 0 });
    secrets.REDIS_URL = await createRedisUser(redis, 'gateway', ['~*', '&*', '+@all']);
  });
  after(async () => {
    await stack?.stop();
    await redis?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });

  function render(): KubernetesObject[] {
    return overlayObjects(kubectl, 'small', (copy, overlay) => {
      const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(join(copy, secretsFile), lines.join(''));
      writeFileSync(join(overlay, 'small.yaml'), settings);
      editKustomization(overlay, (kustomization) => {
        kustomization.configMapGenerator = [
          {
            name: 'gateway-environment',
            behavior: 'merge',
            literals: [`OS_AUTH_URL=${stack.identityUrl}`, 'OS_REGION_NAME=RegionOne'],
          },
          { name: 'gateway-config', behavior: 'merge', files: ['small.yaml'] },
        ];
      });
    });
  }

  /** Applies the manifests. @throws if the pods of before and after are the same, so that nothing restarts */
  async function roll(): Promise<Rollout> {
    const objects = render();
    const pods = podTemplates(objects).filter(({ name }) => name !== 'redis');
    const templates = pods.map(({ template }) => template);
    for (const [at, template] of templates.entries())
      assert.notDeepEqual(template, running?.templates[at], pods[at]?.name);
    const started = await Promise.all(
      ROLES.map((role) => {
        const root = mkdtempSync(join(folder, `${role}-`));
        const pod = mountPod(objects, `gateway-${role}`, root);
        // Metrics and proxies of the tests have the address of this machine.
        const environment = { ...withoutDefaults, ...pod, HOST: '127.0.0.1' };
        return role === 'api' ? stack.addApi(environment) : stack.addWorker(environment);
      }),
    );
    const before = running;
    running = { templates, processes: started, url: started[0]?.url ?? '' };
    await Promise.all(before?.processes.map((process) => process.stop()) ?? []);
    return running;
  }

  async function statusOfCreation(): Promise<string> {
    const jobId = creation.headers.get('x-job-id') ?? '';
    return (await session.read<{ status: string }>(`/api/jobs/${jobId}`)).status;
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
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    // So the creation cannot end before the fault is removed, after the rollouts.
    const call = { service: 'block-storage', operation: 'volumes.get' };
    await control.addFault({ ...call, status: 503, times: 0 });
    creation = await session.createInstance(await session.smallInstanceRequest('e2e-day'));
    await eventually(async () => {
      const calls = await control.calls();
      return calls.some(({ operation }) => operation === 'volumes.get') || undefined;
    });
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
    await control.clear();

    await eventually(async () => (await statusOfCreation()) === 'completed' || undefined, 60_000);
    creation.close();
  });

  it('changes the password of the service user', async () => {
    const serviceUser = await ServiceUser.find(stack.identityUrl ?? '');
    await serviceUser.setPassword('rotated-secret');
    secrets.GATEWAY_SERVICE_PASSWORD = 'rotated-secret';

    const { url } = await roll();

    await assertSessionLasts(url);
    await eventually(async () => {
      const health = await session.read<{ service_user: string }>('/api/health?deep=true');
      return health.service_user === 'ok' || undefined;
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
        return state === 'ok' || undefined;
      });
      await assertSessionLasts(url);
    } finally {
      server.disconnect();
    }
  });

  it('removes the older sealing key, and new sessions and jobs work', async () => {
    assert.equal((await session.request('POST', '/api/auth/logout')).status, 204);
    secrets.GATEWAY_SEALING_KEYS = newer;

    const { url, processes } = await roll();

    const user = await GatewayClient.logIn(url, testLogin('demo'));
    const stream = await user.createInstance(await user.smallInstanceRequest('e2e-day-2'));
    assert.equal((await messagesOf(stream)).at(-1)?.step, 'COMPLETED');
    for (const process of processes)
      assert.deepEqual(
        process.logs().filter((line) => line.includes('"key_id"')),
        [],
      );
  });
});
