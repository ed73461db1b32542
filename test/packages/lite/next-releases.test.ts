import assert from 'node:assert/strict';
import { nextReleases, requireRelease, upgradePod, upgradeSecret } from '@gateway/lite';
import { pluginObjects, podSpecs } from './plugin-objects.ts';
import { pluginSettings } from './plugin-settings.ts';

const known = {
  version: 'v1.36.1+k3s1',
  upgradeVersions: ['v1.35.10+k3s1', 'v1.35.9+k3s2', 'v1.36.1+k3s1', 'v1.34.6+k3s1', 'v1.37.0+k3s1'],
};

describe('the next releases of a cluster', () => {
  const next = (k3sVersion: string | null, upgrade: { version: string } | null = null) =>
    nextReleases({ k3sVersion, upgrade }, known);

  it('are at most one minor release away, the oldest first', () => {
    assert.deepEqual(next('v1.34.1+k3s1'), ['v1.34.6+k3s1', 'v1.35.9+k3s2', 'v1.35.10+k3s1']);
    assert.deepEqual(next('v1.33.9+k3s1'), ['v1.34.6+k3s1']);
  });

  it('are never those before, in any part of their number', () => {
    assert.deepEqual(next('v1.35.9+k3s1'), ['v1.35.9+k3s2', 'v1.35.10+k3s1', 'v1.36.1+k3s1']);
    assert.deepEqual(next('v1.35.9+k3s2'), ['v1.35.10+k3s1', 'v1.36.1+k3s1']);
    assert.deepEqual(next('v1.36.1+k3s1'), []);
  });

  it('are those for which there are plugins', () => {
    assert.ok(!next('v1.36.0+k3s1').includes('v1.37.0+k3s1'));
  });

  it('do not include those before an unfinished upgrade', () => {
    assert.deepEqual(next('v1.35.9+k3s1', { version: 'v1.35.10+k3s1' }), ['v1.35.10+k3s1', 'v1.36.1+k3s1']);
  });

  it('are none of a cluster whose release is not known', () => {
    assert.deepEqual([next(null), next('unknown')], [[], []]);
  });

  it('can be requested, and that of the cluster itself', () => {
    const request = (version: string, upgrade: { version: string } | null) =>
      requireRelease({ k3sVersion: 'v1.35.2+k3s1', upgrade }, known, version);

    request('v1.35.2+k3s1', null);
    request('v1.35.2+k3s1', { version: 'v1.35.2+k3s1' });
    request('v1.36.1+k3s1', { version: 'v1.36.1+k3s1' });
    assert.throws(() => request('v1.35.2+k3s1', { version: 'v1.36.1+k3s1' }), /cannot be upgraded/);
    const unknown = { k3sVersion: 'v1.32.1+k3s1', upgrade: null };
    assert.throws(() => requireRelease(unknown, known, 'v1.32.1+k3s1'), /cannot be upgraded/);
  });

  it('are named when another one is requested', () => {
    const cluster = { k3sVersion: 'v1.34.1+k3s1', upgrade: null };

    requireRelease(cluster, known, 'v1.35.9+k3s2');

    assert.throws(
      () => requireRelease(cluster, known, 'v1.36.1+k3s1'),
      /has v1\.34\.1\+k3s1 and cannot be upgraded to v1\.36\.1\+k3s1\..*v1\.34\.6\+k3s1, v1\.35\.9\+k3s2/,
    );
  });
});

describe('the images of plugins', () => {
  const releasesFor = (k3sVersion: string) => {
    const objects = pluginObjects(pluginSettings({ k3sVersion })).flatMap((one) => one.objects);
    const images = podSpecs(objects).flatMap(({ containers }) => containers.map(({ image }) => image));
    const own = images.filter((image) => image.includes('/provider-os/'));
    return [...new Set(own.map((image) => image.split(':').at(-1)))];
  };

  it('are those of the Kubernetes release of the cluster', () => {
    assert.deepEqual(releasesFor('v1.34.6+k3s1'), ['v1.34.1']);
    assert.deepEqual(releasesFor('v1.36.1+k3s1'), ['v1.36.0']);
  });

  it('are the newest for a release that is not known', () => {
    assert.deepEqual(releasesFor('v1.40.0+k3s1'), ['v1.36.0']);
  });
});

describe('the pod that upgrades a node', () => {
  const pod = upgradePod('lab-1', 'job-1', ['nsenter', 'echo $HOME $(date) $$'], null);

  it('runs once on its node, whatever its taints', () => {
    const { nodeName, restartPolicy, tolerations } = pod.spec;

    assert.deepEqual([nodeName, restartPolicy, tolerations], ['lab-1', 'Never', [{ operator: 'Exists' }]]);
  });

  it('refers to its secret, and does not contain it', () => {
    const [container] = upgradePod('lab-1', 'job-1', ['nsenter'], 'REGISTRIES').spec.containers;
    const { metadata } = upgradeSecret('lab-1', 'hush');

    assert.equal(pod.spec.containers[0]?.env, undefined);
    assert.deepEqual(container?.env, [
      { name: 'REGISTRIES', valueFrom: { secretKeyRef: { name: metadata.name, key: 'value' } } },
    ]);
    assert.equal(metadata.namespace, pod.metadata.namespace);
  });

  it('gets its command as it is', () => {
    assert.deepEqual(pod.spec.containers[0]?.command, ['nsenter', 'echo $$HOME $$(date) $$$$']);
  });
});
