import assert from 'node:assert/strict';
import { gpuNodeArguments, type PluginKey, type PluginSettings, pluginKeys } from '@gateway/lite';
import { applyPathOf } from '../../../packages/lite/src/kubernetes/applied-objects.ts';
import { type PluginObject, pluginObjects, podSpecs, secretData } from './plugin-objects.ts';
import { hostile, hostileSettings, pluginSettings } from './plugin-settings.ts';

interface Model {
  validate(): void;
}

/**
 * Checks an object against the API's own schema, with its published model. Those of custom resources are
 * checked by a real API server only.
 */
async function validate(object: PluginObject): Promise<void> {
  if (object.apiVersion !== 'snapshot.storage.k8s.io/v1') (await modelOf(object)).validate();
}

async function modelOf(object: PluginObject): Promise<Model> {
  const path = object.apiVersion.includes('/') ? object.apiVersion : `/${object.apiVersion}`.slice(1);
  const models = (await import(`kubernetes-models/${path}`)) as Record<string, new (data: object) => Model>;
  const model = models[object.kind];
  assert.ok(model, `no model of ${object.kind}`);
  return new model(object);
}

const all = pluginObjects(pluginSettings());

function objectsOf(key: PluginKey, settings = pluginSettings()): PluginObject[] {
  return pluginObjects(settings, [key])[0]?.objects ?? [];
}

function argumentsOf(key: PluginKey, settings = pluginSettings()): string[] {
  return podSpecs(objectsOf(key, settings)).flatMap(({ containers }) =>
    containers.flatMap(({ command = [], args = [] }) => [...command, ...args]),
  );
}

describe('the manifests of the plugins', () => {
  for (const { key, objects } of all) {
    it(`of ${key} have the schemas of Kubernetes`, async () => {
      assert.ok(objects.length > 0);
      for (const object of objects) await validate(object);
    });
  }

  it('have the schemas of Kubernetes with hostile values and without optional ones', async () => {
    const without = pluginSettings({
      caPem: null,
      floatingNetworkId: null,
      region: '',
      share: { type: null, networkId: null },
    });
    const objects = [hostileSettings(), without].flatMap((settings) =>
      pluginObjects(settings).flatMap((plugin) => plugin.objects),
    );

    for (const object of objects) await validate(object);
  });

  it('run images of exact versions only', () => {
    const images = all
      .flatMap(({ objects }) => podSpecs(objects))
      .flatMap(({ containers }) => containers.map(({ image }) => image));

    assert.ok(images.length > 10);
    for (const image of images) assert.match(image, /^[a-z0-9.]+\/[a-z0-9/-]+:v?\d+\.\d+\.\d+$/);
  });

  it('name only service accounts, secrets and roles that they bring', () => {
    for (const { key, objects } of all) {
      const names = (kind: string) =>
        objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
      const secrets = podSpecs(objects).flatMap(({ volumes = [] }) =>
        volumes.flatMap(({ secret }) => secret?.secretName ?? []),
      );
      const accounts = objects.flatMap(({ subjects = [] }) =>
        subjects.filter(({ kind }) => kind === 'ServiceAccount'),
      );

      assert.deepEqual(
        secrets.filter((name) => !names('Secret').includes(name)),
        [],
        key,
      );
      assert.deepEqual(
        accounts.filter(({ name }) => !names('ServiceAccount').includes(name)),
        [],
        key,
      );
    }
  });

  it('give no plugin all rights in the cluster', () => {
    const rules = all.flatMap(({ objects }) => objects).flatMap((object) => object.rules ?? []);

    assert.ok(rules.length > 0);
    for (const { verbs, resources, apiGroups } of rules) {
      assert.ok(![...verbs, ...resources, ...apiGroups].includes('*'));
    }
  });

  it('contain the credential in secrets only', () => {
    for (const { key, objects } of all) {
      const others = objects.filter(({ kind }) => kind !== 'Secret');

      assert.ok(!JSON.stringify(others).includes('the-secret'), key);
    }
  });

  it('give the nodes’ block storage plugin no credential', () => {
    const node = podSpecs(objectsOf('block_csi')).find(({ hostNetwork }) => hostNetwork);

    assert.ok(node);
    assert.ok(node.volumes?.every(({ secret }) => secret === undefined));
  });

  it('limit the volumes of a node where its plugin reads it', () => {
    const objects = objectsOf('block_csi', pluginSettings({ nodeVolumeLimit: 17 }));
    const node = podSpecs(objects).find(({ hostNetwork }) => hostNetwork);
    const container = node?.containers.find(({ name }) => name === 'cinder-csi-plugin');
    const mounted = node?.volumes?.find(({ configMap }) => configMap !== undefined)?.configMap?.name;
    const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === mounted);

    assert.deepEqual(config?.data, { 'node.conf': '[BlockStorage]\nnode-volume-attach-limit = 17\n' });
    assert.ok(container?.args?.includes('--cloud-config=/etc/kubernetes/node.conf'));
    assert.match(applyPathOf(config ?? assert.fail()), /\/configmaps\//, 'an upgrade applies it');
  });

  it('pass the cluster’s name unchanged to cloud and ingress controllers', () => {
    const escaped = hostile.replaceAll('$', '$$$$');

    assert.ok(argumentsOf('cloud_controller').includes('--cluster-name=demo_1'));
    assert.ok(argumentsOf('cloud_controller', hostileSettings()).includes(`--cluster-name=${escaped}`));
    const config = secretData(objectsOf('lb_ingress'), 'octavia-ingress-controller')['config.yaml'] ?? '';
    assert.match(config, /^cluster-name: "demo_1"$/m);
  });

  it('admit only the cluster’s subnet to shares', () => {
    const storageClass = objectsOf('file_csi').find(({ kind }) => kind === 'StorageClass');

    assert.equal(storageClass?.parameters?.['nfs-shareClient'], '10.0.0.0/24');
  });

  it('restrict the identity webhook to port 8443 of the control node', () => {
    assert.ok(argumentsOf('identity_auth').includes('--listen=127.0.0.1:8443'));
  });

  it('give every program the URL of the identity service with its version', () => {
    for (const identityUrl of [
      'https://identity.example',
      'https://identity.example/',
      'https://identity.example/v3',
    ]) {
      const settings = pluginSettings({ identityUrl });

      assert.ok(
        argumentsOf('identity_auth', settings).includes('--keystone-url=https://identity.example/v3'),
      );
      const { 'os-authURL': url } = secretData(objectsOf('file_csi', settings), 'csi-manila-credential');
      assert.equal(url, 'https://identity.example/v3');
    }
  });

  it('have a value for each setting that a site has', () => {
    const without = pluginSettings({ caPem: null, share: { type: null, networkId: null } });
    const classOf = (settings: PluginSettings) =>
      objectsOf('file_csi', settings).find(({ kind }) => kind === 'StorageClass')?.parameters ?? {};

    assert.ok(!JSON.stringify(all).includes('${'));
    assert.ok(!argumentsOf('identity_auth', without).some((argument) => argument.includes('ca-file')));
    assert.ok(!('type' in classOf(without)) && !('shareNetworkID' in classOf(without)));
    assert.equal(classOf(pluginSettings({ share: { type: 'nfs', networkId: 'n' } })).shareNetworkID, 'n');
  });

  it('show the last log lines of a program in its pod’s status', () => {
    const containers = all.flatMap(({ objects }) => podSpecs(objects)).flatMap((spec) => spec.containers);

    for (const { name, terminationMessagePolicy } of containers) {
      assert.equal(terminationMessagePolicy, 'FallbackToLogsOnError', name);
    }
  });

  it('of gpu run on the nodes with the label of GPUs', () => {
    const [device] = podSpecs(objectsOf('gpu'));
    const labels = gpuNodeArguments.map((argument) => /^--node-label=(.+)=(.+)$/.exec(argument)?.slice(1));

    assert.deepEqual(device?.nodeSelector, Object.fromEntries(labels.map((label) => label ?? [])));
    assert.equal(device?.runtimeClassName, 'nvidia');
  });

  it('are of every plugin', () => {
    assert.deepEqual(
      all.map(({ key }) => key),
      pluginKeys,
    );
  });
});
