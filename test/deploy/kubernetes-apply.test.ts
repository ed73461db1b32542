import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingForRealCluster, RealApiServer } from '../support/kubernetes/api-server-tool.ts';
import { skipWithout } from '../support/skip-without.ts';
import { readText } from './deploy-files.ts';
import { chartFolder, chartObjects, exampleValues, runHelm, type Values } from './helm-objects.ts';
import {
  addRestoreJob,
  findKubectl,
  type KubernetesObject,
  overlayObjects,
  podTemplates,
  sizes,
} from './kubernetes-objects.ts';
import { overlayWithListener } from './listener.ts';
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
    assertAccepts(await overlayWithListener(kubectl));
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

  describe('with the Helm chart', () => {
    let helm: string;
    before(function () {
      helm = requireHelm(this);
    });

    const inCluster = () => ['--kubeconfig', server.facts.kubeconfig, '--namespace', NAMESPACE];
    const checksums = (objects: KubernetesObject[]) =>
      podTemplates(objects)
        .filter(({ name }) => PROCESSES.includes(name))
        .map(({ template }) => template.metadata.annotations ?? {});

    it('accepts listeners with TLS', () => {
      const values = [exampleValues('small'), { listener: { secret: 'gateway-listener' } }];
      assertAccepts(chartObjects(helm, { size: 'small', values }));
    });

    it('installs, upgrades and rolls back a release', () => {
      const change: Values = { settings: { http: { heartbeat_seconds: 5 } } };
      const seen = [{}, change].map((values) => {
        runHelm(helm, ['upgrade', '--install', 'gateway', chartFolder, ...inCluster()], {
          size: 'small',
          values: [exampleValues('small'), values],
        });
        return checksums(PROCESSES.map((name) => read('deployment', name)));
      });

      runHelm(helm, ['rollback', 'gateway', '1', ...inCluster()]);

      assert.notDeepEqual(seen[0], seen[1]);
      assert.deepEqual(checksums(PROCESSES.map((name) => read('deployment', name))), seen[0]);
      runHelm(helm, ['uninstall', 'gateway', ...inCluster()]);
      assert.equal(ask(['get', 'deployments', '--output', 'name']), '');
    });

    for (const { key, kind, values } of [
      { key: 'checksum/authorities', kind: 'configmap', values: { authorities: { existing: 'elsewhere' } } },
      {
        key: 'checksum/secrets',
        kind: 'secret generic',
        values: { secrets: { existing: 'elsewhere', values: null } },
      },
    ])
      it(`has the ${key} of what exists in the cluster`, () => {
        const create = (text: string) =>
          ask(['create', ...kind.split(' '), 'elsewhere', `--from-literal=ca.pem=${text}`]);
        const remove = () => ask(['delete', kind.split(' ')[0] ?? '', 'elsewhere']);
        const render = (...args: string[]) =>
          checksums(
            chartObjects(helm, { size: 'small', values: [exampleValues('small'), values], args }),
          ).map((annotations) => annotations[key]);
        const ofCluster = () => render('--dry-run=server', ...inCluster());

        create('one');
        const [first, again] = [ofCluster(), ofCluster()];
        remove();
        create('another');
        const later = ofCluster();
        remove();

        assert.match(first[0] ?? '', /^[0-9a-f]{64}$/);
        assert.deepEqual([first[1], again], [first[0], first]);
        assert.notDeepEqual(later, first);
        assert.deepEqual(render(), [undefined, undefined], 'without the cluster');
        assert.deepEqual(ofCluster(), [undefined, undefined], 'while it does not exist');
      });
  });
});
