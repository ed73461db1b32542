import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { aggregatePlugins, pluginKeys } from '@gateway/lite';
import { hasKubernetes, type KubernetesCluster, startKubernetes } from '../../support/kubernetes-cluster.ts';
import { pluginSettings } from './plugin-settings.ts';

describe('a real API server', function () {
  this.timeout(180_000);
  let cluster: KubernetesCluster | null = null;

  before(function () {
    if (!hasKubernetes()) {
      console.warn(
        '      NOT CHECKED: the programs of real Kubernetes clusters are not built (../shared/kubernetes)',
      );
      this.skip();
    }
    cluster = startKubernetes(`plugins-${process.pid}`, '--no-kwok');
  });

  after(() => cluster?.down());

  function kubectl(args: string[], input = ''): string {
    assert.ok(cluster);
    return execFileSync(cluster.kubectl, ['--kubeconfig', cluster.kubeconfig, ...args], {
      input,
      encoding: 'utf8',
    });
  }

  for (const { key, manifests } of aggregatePlugins(pluginKeys, pluginSettings()).plugins) {
    it(`accepts the manifests of ${key}, and the same once more`, () => {
      const apply = (...options: string[]) =>
        kubectl(['apply', '--server-side', '--validate=strict', ...options, '-f', '-'], manifests);
      const count = manifests.split(/^---$/m).length;

      assert.equal(apply().trim().split('\n').length, count);
      assert.equal(apply().trim().split('\n').length, count);
    });

    it(`has every field of the manifests of ${key} afterwards`, () => {
      assert.equal(
        diffOf(() => kubectl(['diff', '--server-side', '-f', '-'], manifests)),
        '',
      );
    });
  }

  it('has one default storage class', () => {
    const classes = kubectl(['get', 'storageclass', '-o', 'json']);
    const items = (
      JSON.parse(classes) as { items: { metadata: { name: string; annotations: Record<string, string> } }[] }
    ).items;

    const defaults = items.filter(
      ({ metadata }) => metadata.annotations['storageclass.kubernetes.io/is-default-class'] === 'true',
    );
    assert.deepEqual(
      defaults.map(({ metadata }) => metadata.name),
      ['block-storage'],
    );
  });
});

/** What `kubectl diff` prints; it exits with 1 when there is a difference. */
function diffOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    if (status !== 1) throw error;
    return stdout;
  }
}
