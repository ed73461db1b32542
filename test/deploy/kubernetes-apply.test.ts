import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificates } from '../support/doubles/certificates.ts';
import { missingForRealCluster, RealApiServer } from '../support/kubernetes/api-server-tool.ts';
import { skipWithout } from '../support/skip-without.ts';
import { readText } from './deploy-files.ts';
import { chartObjects, exampleValues } from './helm-objects.ts';
import {
  addRestoreJob,
  editKustomization,
  findKubectl,
  type KubernetesObject,
  overlayObjects,
  sizes,
} from './kubernetes-objects.ts';
import { listenerPatch } from './listener-patch.ts';
import { requireHelm } from './require-helm.ts';

/**
 * Their definitions come with operators, which the server does not have. Their schemas
 * are checked without it.
 */
const CUSTOM_KINDS = ['HTTPRoute', 'ScaledObject', 'PodMonitor'];
const NAMESPACE = 'cloud-gateway';
const RESTORE = 'app.kubernetes.io/name=gateway-restore';
const PROCESSES = ['gateway-api', 'gateway-worker'];

const missing = missingForRealCluster();

describe('a real API server', function () {
  this.timeout(300_000);
  let server: RealApiServer;
  let kubectl: string;

  before(async function () {
    const found = findKubectl();
    if (missing !== null) {
      process.stderr.write(`NOT CHECKED: the Kubernetes manifests by an API server, because ${missing}\n`);
    }
    if (missing !== null) return this.skip();
    if (found === null) skipWithout('kubectl', 'install it from the releases of Kubernetes', this);
    process.stderr.write(
      `NOT CHECKED by the API server: ${CUSTOM_KINDS.join(', ')}, which need operators.\n`,
    );
    kubectl = found;
    server = await RealApiServer.start(`manifests-${process.pid}`);
    for (const namespace of overlayObjects(kubectl, 'small').filter(isNamespace))
      ask(['apply', '--server-side', '-f', '-'], [namespace]);
  });
  after(() => server?.close());

  const isNamespace = ({ kind }: KubernetesObject) => kind === 'Namespace';
  const isBuiltIn = ({ kind }: KubernetesObject) => kind !== 'Namespace' && !CUSTOM_KINDS.includes(kind);

  /** Runs kubectl with objects as its input. */
  function send(args: readonly string[], objects: KubernetesObject[] = []) {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    const options = ['--kubeconfig', server.facts.kubeconfig, '--namespace', NAMESPACE];
    return spawnSync(kubectl, [...options, ...args], { input, encoding: 'utf8' });
  }

  /** The same. @throws with what the server says, warnings included */
  function ask(args: readonly string[], objects?: KubernetesObject[]): string {
    const { status, stdout, stderr } = send(args, objects);
    assert.deepEqual([status, stderr], [0, '']);
    return stdout;
  }

  function read(kind: string, name: string): KubernetesObject {
    return JSON.parse(ask(['get', kind, name, '--output', 'json'])) as KubernetesObject;
  }

  /** The API server checks each field, and that each object may be in the namespace. Nothing is stored. */
  const dryRun = ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', '-'];

  function assertAccepts(objects: KubernetesObject[]): void {
    const builtIn = objects.filter(isBuiltIn);

    const output = ask(dryRun, builtIn);

    assert.equal(output.trim().split('\n').length, builtIn.length);
    assert.ok(builtIn.length > 10);
  }

  for (const size of sizes) {
    it(`accepts the overlay ${size} under the restricted Pod Security Standard`, () => {
      assertAccepts(overlayObjects(kubectl, size));
    });

    it(`accepts the Helm chart with the size ${size} likewise`, function () {
      const values = [exampleValues(size), { restore: { copiedAt: '2026-11-24T02:00:00Z' } }];
      assertAccepts(chartObjects(requireHelm(this), { size, values }));
    });
  }

  it('accepts the documented patch for listeners with TLS', async () => {
    const certificates = await makeCertificates(['127.0.0.1']);
    const objects = overlayObjects(kubectl, 'small', (_, overlay) => {
      copyFileSync(certificates.server.certFile, join(overlay, 'tls.crt'));
      copyFileSync(certificates.server.keyFile, join(overlay, 'tls.key'));
      editKustomization(overlay, listenerPatch);
    });
    certificates.remove();

    assertAccepts(objects);
  });

  it('refuses an unknown field, and warns of a pod with privileges', () => {
    const worker =
      overlayObjects(kubectl, 'small').find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway-worker',
      ) ?? assert.fail('There is no worker.');
    const [unknown, privileged] = [structuredClone(worker), structuredClone(worker)];
    unknown.spec.replica = 2;
    privileged.spec.template.spec.hostNetwork = true;

    assert.match(send(dryRun, [unknown]).stderr, /spec\.replica|unknown field "replica"/);
    assert.match(send(dryRun, [privileged]).stderr, /would violate PodSecurity "restricted/);
  });

  it('takes the documented commands of an installation, a change and a restore', () => {
    const apply = ['apply', '-f', '-'];
    const documented = readText('docs/operations.md');
    const objects = overlayObjects(kubectl, 'small').filter(isBuiltIn);
    ask(apply, objects);
    const changed = overlayObjects(kubectl, 'small', (copy) =>
      writeFileSync(join(copy, 'overlays/example/site.yaml'), 'http: { heartbeat_seconds: 5 }\n'),
    ).filter(isBuiltIn);
    ask(apply, changed);

    const maps = ask(['get', 'configmaps', '--output', 'name']).match(/configmap\/gateway-config-/g);
    assert.equal(maps?.length, 2, 'the config map of before stays for a way back');
    const scale = 'scale deployment gateway-api gateway-worker --replicas=';
    assert.ok(documented.includes(`kubectl ${scale}0`));
    ask(`${scale}0`.split(' '));
    for (const name of PROCESSES) assert.equal(read('deployment', name).spec.replicas, 0);

    assert.ok(documented.includes(`kubectl apply -k overlays/small -l ${RESTORE}`));
    const withJob = overlayObjects(kubectl, 'small', (copy, overlay) =>
      addRestoreJob(copy, overlay, '2026-11-24T02:00:00Z'),
    );
    const applied = ask(['apply', '-l', RESTORE, '-f', '-'], withJob.filter(isBuiltIn));
    assert.deepEqual(applied.trim().split('\n'), ['job.batch/gateway-restore created']);

    for (const name of PROCESSES) assert.equal(read('deployment', name).spec.replicas, 0);
    ask(['delete', 'job', 'gateway-restore']);
    ask(`${scale}2`.split(' '));
    ask(['delete', '-f', '-'], changed);
  });
});
