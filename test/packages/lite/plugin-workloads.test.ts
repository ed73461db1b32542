import assert from 'node:assert/strict';
import { aggregatePlugins, pluginImages, pluginKeys, pluginWorkloads, workloadQuery } from '@gateway/lite';
import { pluginObjects } from './plugin-objects.ts';
import { hostileSettings, pluginSettings } from './plugin-settings.ts';

describe('the workloads of the plugins', () => {
  it('are those of the manifests, whatever the settings', () => {
    for (const settings of [pluginSettings(), hostileSettings()]) {
      const all = pluginObjects(settings).flatMap(({ objects }) => objects);
      for (const { key, workloads } of aggregatePlugins(pluginKeys, settings).plugins) {
        assert.deepEqual(workloads, pluginWorkloads(key));
        assert.ok(workloads.length > 0, key);
        for (const { kind, name } of workloads) {
          assert.ok(
            all.some((object) => object.kind === kind && object.metadata.name === name),
            name,
          );
        }
      }
    }
  });

  it('use images that can be listed', () => {
    for (const settings of [pluginSettings(), hostileSettings()]) {
      for (const { key, manifests } of pluginKeys.flatMap(
        (one) => aggregatePlugins([one], settings).plugins,
      )) {
        const used = [
          ...manifests.matchAll(/\b(?:registry\.k8s\.io|docker\.io|nvcr\.io)\/[\w./-]+:[\w.-]+/g),
        ];
        assert.deepEqual(
          new Set(used.map(([image]) => image)),
          new Set(pluginImages([key], [settings.k3sVersion])),
          key,
        );
      }
    }
  });

  it('are read with one request per kind, and one for pods', () => {
    assert.deepEqual(workloadQuery(['block_csi', 'file_csi']), {
      namespace: 'kube-system',
      kinds: ['Deployment', 'DaemonSet'],
      apps: [
        'csi-cinder-controllerplugin',
        'csi-cinder-nodeplugin',
        'snapshot-controller',
        'csi-manila-controllerplugin',
        'csi-manila-nodeplugin',
      ],
    });
    assert.deepEqual(workloadQuery(['secrets_kms'])?.kinds, ['Job']);
    assert.equal(workloadQuery([]), null);
  });
});
