import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { aggregatePlugins, pluginKeys } from '@gateway/lite';
import { eventually } from '../../support/eventually.ts';
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
      stdio: 'pipe',
    });
  }

  for (const { key, manifests } of aggregatePlugins(pluginKeys, pluginSettings()).plugins) {
    it(`accepts the manifests of ${key}, and the same once more`, async () => {
      const apply = () => kubectl(['apply', '--server-side', '--validate=strict', '-f', '-'], manifests);
      const count = manifests.split(/^---$/m).length;

      // The first attempt can only define the custom resources. Control nodes repeat it, too.
      const first = await eventually(async () => apply());
      assert.equal(first.trim().split('\n').length, count);
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

  describe('with snapshots', () => {
    const snapshot = (name: string, spec: object) => ({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: { name, namespace: 'default' },
      spec,
    });
    const content = (spec: object) => ({
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshotContent',
      metadata: { name: 'content' },
      spec: {
        deletionPolicy: 'Delete',
        driver: 'cinder.csi.openstack.org',
        source: { volumeHandle: 'volume' },
        volumeSnapshotRef: { kind: 'VolumeSnapshot', name: 'nightly', namespace: 'default', uid: 'uid' },
        ...spec,
      },
    });
    const claim = { source: { persistentVolumeClaimName: 'data' } };
    const create = (object: object) =>
      kubectl(['create', '--validate=strict', '-f', '-'], JSON.stringify(object));
    const setStatus = (resource: string, status: object) =>
      kubectl(['patch', resource, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);

    it('accepts snapshots and their contents as the controllers write them', () => {
      create(snapshot('nightly', { ...claim, volumeSnapshotClassName: 'block-storage' }));
      create(content({ sourceVolumeMode: 'Filesystem', volumeSnapshotClassName: 'block-storage' }));
      setStatus('volumesnapshot/nightly', {
        boundVolumeSnapshotContentName: 'content',
        creationTime: '2026-01-02T03:04:05Z',
        error: { message: 'busy', time: '2026-01-02T03:04:05Z' },
        readyToUse: true,
        restoreSize: '1Gi',
      });
      setStatus('volumesnapshotcontent/content', {
        creationTime: 1_767_323_045_000_000_000,
        readyToUse: true,
        restoreSize: 1_073_741_824,
        snapshotHandle: 'snapshot',
      });

      assert.match(kubectl(['get', 'vs', 'nightly']), /nightly +true +data +1Gi +block-storage +content /);
      assert.match(
        kubectl(['get', 'vsc', 'content']),
        /content +true +1073741824 +Delete +cinder\.csi\.openstack\.org +block-storage +nightly +default /,
      );
    });

    it('refuses snapshots without one source, or with an empty class', () => {
      const refused: [object, RegExp][] = [
        [{}, /spec\.source: Required/],
        [
          { source: {} },
          /exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set/,
        ],
        [
          { source: { persistentVolumeClaimName: 'a', volumeSnapshotContentName: 'b' } },
          /exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set/,
        ],
        [{ ...claim, volumeSnapshotClassName: '' }, /must not be the empty string/],
      ];
      for (const [spec, reason] of refused) assert.throws(() => create(snapshot('refused', spec)), reason);
    });

    it('refuses contents that refer to no snapshot', () => {
      const refused: [object, RegExp][] = [
        [
          { volumeSnapshotRef: { name: 'nightly' } },
          /volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set/,
        ],
        [
          { source: { volumeHandle: 'a', snapshotHandle: 'b' } },
          /exactly one of volumeHandle and snapshotHandle must be set/,
        ],
        [{ deletionPolicy: 'Keep' }, /Unsupported value: "Keep"/],
        [{ driver: undefined }, /spec\.driver: Required/],
      ];
      for (const [spec, reason] of refused) assert.throws(() => create(content(spec)), reason);
    });

    it('refuses another source of a snapshot or a content', () => {
      const change = (resource: string, spec: object) =>
        kubectl(['patch', resource, '--type=merge', '-p', JSON.stringify({ spec })]);

      assert.throws(
        () => change('vs/nightly', { source: { persistentVolumeClaimName: 'other' } }),
        /persistentVolumeClaimName is immutable/,
      );
      assert.throws(
        () => change('vsc/content', { source: { volumeHandle: 'other' } }),
        /volumeHandle is immutable/,
      );
      assert.throws(
        () => change('vsc/content', { sourceVolumeMode: 'Block' }),
        /sourceVolumeMode is immutable/,
      );
      assert.throws(
        () => change('vsc/content', { sourceVolumeMode: null }),
        /sourceVolumeMode is required once set/,
      );
    });

    it('has one default class for each driver', () => {
      const { items } = JSON.parse(kubectl(['get', 'vsclass', '-o', 'json'])) as {
        items: {
          driver: string;
          deletionPolicy: string;
          metadata: { annotations: Record<string, string> };
        }[];
      };

      assert.deepEqual(
        items.map(({ driver, deletionPolicy, metadata }) => [
          driver,
          deletionPolicy,
          metadata.annotations['snapshot.storage.kubernetes.io/is-default-class'],
        ]),
        [
          ['cinder.csi.openstack.org', 'Delete', 'true'],
          ['nfs.manila.csi.openstack.org', 'Delete', 'true'],
        ],
      );
    });
  });

  it('refuses other parameters of a storage class, also by force', () => {
    const settings = { ...pluginSettings(), volumeType: 'another' };
    const manifests = aggregatePlugins(['block_csi'], settings).plugins[0]?.manifests ?? '';

    assert.throws(
      () => kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], manifests),
      /parameters: Invalid value: .*: field is immutable/s,
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
