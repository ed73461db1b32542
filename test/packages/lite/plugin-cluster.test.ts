import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { aggregatePlugins, pluginKeys } from '@gateway/lite';
import {
  apiServerProgram,
  missingForRealCluster,
  RealApiServer,
} from '../../support/kubernetes/api-server-tool.ts';
import { pluginSettings } from './plugin-settings.ts';

describe('a real API server', function () {
  this.timeout(180_000);
  let server: RealApiServer | null = null;

  before(async function () {
    const reason = missingForRealCluster();
    if (reason !== null) {
      console.warn(`      NOT CHECKED against a real API server: ${reason}`);
      return this.skip();
    }
    server = await RealApiServer.start(`plugins-${process.pid}`, '--no-kwok');
  });

  after(() => server?.close());

  function kubectl(args: string[], input = ''): string {
    assert.ok(server);
    const { kubeconfig, kubectl: program } = server.facts;
    return execFileSync(program ?? 'kubectl', ['--kubeconfig', kubeconfig, ...args], {
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

  it('knows the arguments that the plugins give it', () => {
    const flag = '--kube-apiserver-arg=';
    const given = aggregatePlugins(pluginKeys, pluginSettings())
      .serverArguments.filter((argument) => argument.startsWith(flag))
      .map((argument) => `--${argument.slice(flag.length)}`);

    assert.equal(given.length, 4);
    // It checks its arguments before it prints its version.
    assert.match(
      execFileSync(apiServerProgram(), [...given, '--version'], { encoding: 'utf8' }),
      /^Kubernetes v1\./,
    );
  });

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

/** The output of `kubectl diff`, which exits with 1 if there is a difference. */
function diffOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    if (status !== 1) throw error;
    return stdout;
  }
}
