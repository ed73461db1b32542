import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { missingForRealCluster, RealApiServer } from '../support/kubernetes/api-server-tool.ts';
import { skipWithout } from '../support/skip-without.ts';
import { chartObjects, exampleValues } from './helm-objects.ts';
import { findKubectl, type KubernetesObject, overlayObjects, sizes } from './kubernetes-objects.ts';
import { requireHelm } from './require-helm.ts';

/**
 * Their definitions come with operators, which the server does not have. Their schemas
 * are checked without it.
 */
const CUSTOM_KINDS = ['HTTPRoute', 'ScaledObject', 'PodMonitor'];

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
    kubectl = found;
    server = await RealApiServer.start(`manifests-${process.pid}`);
  });
  after(() => server?.close());

  function apply(chosen: KubernetesObject[], ...options: string[]): { output: string; warnings: string } {
    const args = ['--kubeconfig', server.facts.kubeconfig, 'apply', '--server-side', ...options, '-f', '-'];
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: chosen });
    const { status, stdout, stderr } = spawnSync(kubectl, args, { input, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return { output: stdout, warnings: stderr };
  }

  const isNamespace = ({ kind }: KubernetesObject) => kind === 'Namespace';

  function assertAccepts(objects: KubernetesObject[], ...options: string[]): void {
    const others = objects.filter((object) => !isNamespace(object));
    const builtIn = others.filter(({ kind }) => !CUSTOM_KINDS.includes(kind));

    const { output, warnings } = apply(builtIn, '--dry-run=server', ...options);

    assert.equal(warnings, '');
    assert.equal(output.trim().split('\n').length, builtIn.length);
    assert.ok(builtIn.length > 10);
  }

  for (const size of sizes) {
    it(`accepts the overlay ${size} under the restricted Pod Security Standard`, () => {
      const objects = overlayObjects(kubectl, size);
      apply(objects.filter(isNamespace));

      assertAccepts(objects);
    });

    it(`accepts the Helm chart with the size ${size} likewise`, function () {
      const helm = requireHelm(this);
      const namespaces = overlayObjects(kubectl, size).filter(isNamespace);
      apply(namespaces);

      const values = [exampleValues(size), { restore: { copiedAt: '2026-11-24T02:00:00Z' } }];
      const objects = chartObjects(helm, { size, values });

      assertAccepts(objects, '--namespace', namespaces[0]?.metadata.name ?? '');
    });
  }
});
