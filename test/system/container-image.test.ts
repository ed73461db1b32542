import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.ts';
import { type Stack, startStack } from '../../scripts/stack.ts';
import { demoServiceUser, newSealingKeys } from '../../scripts/stack-environment.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceMessage } from '../support/clients/gateway-client.ts';
import { Container } from '../support/containers/container.ts';
import { buildImage, type Image } from '../support/containers/image.ts';
import {
  type PodTemplate,
  type Probe,
  readPodTemplate,
  settingsOfPod,
} from '../support/containers/manifest.ts';
import { defaultSeccomp } from '../support/containers/seccomp.ts';
import { eventually } from '../support/eventually.ts';
import { requireProgram, skipWithout } from '../support/skip-without.ts';
import { root } from '../support/source/workspaces.ts';
import { simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';

interface Pod {
  role: 'api' | 'worker';
  url: string;
  template: PodTemplate;
  container: Container;
}

const HELD_MS = 30_000;

describe('the image, in containers as the manifests describe them', function () {
  this.timeout(300_000);
  let runc: string;
  let image: Image;
  let seccomp: object;
  let base: Stack;
  let config: string;
  let api: Pod;
  let worker: Pod;
  const pods: Pod[] = [];
  const sealingKeys = newSealingKeys();

  before(async function () {
    if (process.getuid?.() !== 0) skipWithout('the right to start containers', 'run as root', this);
    runc = await requireProgram('runc', 'runc', this);
    image = await buildImage(await requireProgram('mmdebstrap', 'mmdebstrap', this), runc);
    seccomp = await defaultSeccomp();
    config = mkdtempSync(join(tmpdir(), 'gateway-config-'));
    copyFileSync(join(root, 'deploy/kubernetes/base/gateway.yaml'), join(config, '00-base.yaml'));
    // The files of a ConfigMap can be read by everyone.
    chmodSync(config, 0o755);
    base = await startStack({ ...simulatedCloud, apis: 0, workers: 0 });
    [api, worker] = await Promise.all([startPod('api'), startPod('worker')]);
  });

  after(async () => {
    await Promise.all(pods.map(({ container }) => container.remove()));
    await base?.stop();
    image?.remove();
    if (config) rmSync(config, { recursive: true, force: true });
  });

  async function startPod(role: Pod['role']): Promise<Pod> {
    const port = await freePort();
    const template = readPodTemplate(role);
    const environment = {
      ...(demoServiceUser as Record<string, string>),
      OS_AUTH_URL: base.identityUrl ?? '',
      REDIS_URL: base.redisUrl,
      GATEWAY_SEALING_KEYS: sealingKeys,
      GATEWAY_CONFIG: '/etc/gateway',
      HOST: '127.0.0.1',
      [role === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
    };
    const settings = settingsOfPod(template, environment, { config }, seccomp);
    const container = Container.start(runc, image, settings);
    const pod = { role, url: `http://127.0.0.1:${port}`, template, container };
    pods.push(pod);
    const ended = container.exitCode.then((code) => {
      throw new Error(`The ${role} ended with ${code}: ${container.output.join('\n')}`);
    });
    // Rejects when the container ends, after the start too.
    ended.catch(() => {});
    await Promise.race([eventually(() => answers(pod, template.containers[0].startupProbe)), ended]);
    return pod;
  }

  /** Whether a probe succeeds, as the kubelet counts it. */
  async function answers({ url }: Pod, { httpGet, timeoutSeconds = 1 }: Probe): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(timeoutSeconds * 1000);
      const { status } = await fetch(`${url}${httpGet.path}`, { signal });
      return status < 400;
    } catch {
      return false;
    }
  }

  for (const role of ['api', 'worker'] as const) {
    it(`answers the probes, and the health check of the image: ${role}`, async () => {
      const pod = role === 'api' ? api : worker;
      const [{ livenessProbe, readinessProbe, lifecycle }] = pod.template.containers;

      assert.ok(await answers(pod, livenessProbe));
      await eventually(() => answers(pod, readinessProbe));
      await pod.container.exec(['node', 'deploy/health-check.ts']);
      if (lifecycle) await pod.container.exec([lifecycle.preStop.exec.command[0] ?? '', '0']);
    });

    it(`has no rights beyond its task: ${role}`, async () => {
      const { container } = role === 'api' ? api : worker;
      const script = `
        const { readFileSync, writeFileSync } = require('node:fs');
        const status = Object.fromEntries(readFileSync('/proc/1/status', 'utf8').split('\\n')
          .map((line) => line.split(/:\\s*/)));
        const refusal = (path, bytes) => {
          try { writeFileSync(path, Buffer.alloc(bytes)); return null; } catch (error) { return error.code; }
        };
        console.log(JSON.stringify({
          uid: status.Uid, capabilities: [status.CapPrm, status.CapEff, status.CapBnd], privileges: status.NoNewPrivs,
          seccomp: status.Seccomp, root: refusal('/app/x', 1), tmp: refusal('/tmp/x', 1), full: refusal('/tmp/y', 17 * 1024 ** 2) }));`;

      const found = JSON.parse(await container.exec(['node', '-e', script]));

      const none = '0000000000000000';
      assert.deepEqual(found, {
        uid: '1000\t1000\t1000\t1000',
        capabilities: [none, none, none],
        privileges: '1',
        seccomp: '2',
        root: 'EROFS',
        tmp: null,
        full: 'ENOSPC',
      });
      await container.exec([
        'node',
        '-e',
        "for (const name of 'xy') require('node:fs').rmSync('/tmp/' + name)",
      ]);
    });
  }

  it('serves a creation, which continues after its worker is drained', async () => {
    const gateway = await GatewayClient.logIn(api.url, testLogin('demo'));
    const control = new CloudsimControl(base.cloudsim?.url ?? '');
    const held = await control.hold('before', { operation: 'servers.create' });
    const stream = await gateway.createInstance(await gateway.smallInstanceRequest('in-containers'));
    assert.equal(await held.waitUntilReached(HELD_MS), 'held');

    await worker.container.signal('TERM');
    await held.release();
    const { terminationGracePeriodSeconds: seconds } = worker.template;
    assert.equal(await endWithin(worker.container, seconds), 0, worker.container.output.join('\n'));
    worker = await startPod('worker');

    const messages = (await stream.rest()).map(({ data }) => JSON.parse(data) as InstanceMessage);
    assert.equal(messages.at(-1)?.step, 'COMPLETED', messages.at(-1)?.error ?? '');
  });

  it('ends without an error when the api is drained', async () => {
    await api.container.signal('TERM');

    const { terminationGracePeriodSeconds: seconds } = api.template;
    assert.equal(await endWithin(api.container, seconds), 0, api.container.output.join('\n'));
  });
});

/** The exit code, or 'late' if the container does not end within the grace period. */
function endWithin({ exitCode }: Container, seconds: number): Promise<number | null | 'late'> {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(resolve, seconds * 1000, 'late' as const);
  return Promise.race([exitCode, promise]).finally(() => clearTimeout(timer));
}
