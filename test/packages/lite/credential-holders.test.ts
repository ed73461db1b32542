import assert from 'node:assert/strict';
import {
  containsCredential,
  credentialHolders,
  floatingNetworkIn,
  isCredentialReplaceable,
  pluginKeys,
  withCredential,
} from '@gateway/lite';
import { pluginObjects } from './plugin-objects.ts';
import { pluginSettings } from './plugin-settings.ts';

const old = { id: 'a'.repeat(32), secret: 'old_-secret' };
const next = { id: 'b'.repeat(32), secret: 'next_-secret' };

describe('where the credential of a cluster is', () => {
  it('follows from the manifests of the plugins', () => {
    const { namespace, secrets, workloads } = credentialHolders(pluginKeys);

    assert.equal(namespace, 'kube-system');
    assert.deepEqual(secrets.toSorted(), [
      'cloud-config',
      'csi-manila-credential',
      'octavia-ingress-controller',
    ]);
    assert.deepEqual(workloads.map(({ kind, name }) => `${kind} ${name}`).toSorted(), [
      'DaemonSet openstack-cloud-controller-manager',
      'Deployment csi-cinder-controllerplugin',
      'Deployment octavia-ingress-controller',
    ]);
  });

  it('is nowhere without a plugin that calls the cloud', () => {
    assert.deepEqual(credentialHolders(['identity_auth']), {
      namespace: 'kube-system',
      secrets: [],
      workloads: [],
    });
  });

  it('can be changed unless a file of the control node has it', () => {
    assert.equal(isCredentialReplaceable(['block_csi', 'cloud_controller']), true);
    assert.equal(isCredentialReplaceable(['block_csi', 'secrets_kms']), false);
  });

  it('is beside the network of floating IPs, if there is one', () => {
    const networksFor = (floatingNetworkId: string | null) =>
      pluginObjects({ ...pluginSettings(), floatingNetworkId }).flatMap(({ objects }) =>
        objects
          .filter(({ kind, metadata }) => kind === 'Secret' && /^cloud-|^octavia-/.test(metadata.name))
          .map(({ data }) => floatingNetworkIn(valuesOf(data))),
      );

    assert.deepEqual(new Set(networksFor('net-1')), new Set(['net-1']));
    assert.deepEqual(new Set(networksFor(null)), new Set([null, undefined]));
  });

  it('is replaced in the text of every secret, and nothing else is', () => {
    const secretsOf = (credential: typeof old) =>
      pluginObjects({ ...pluginSettings(), credential }).flatMap(({ objects }) =>
        objects
          .filter(({ kind, metadata }) => kind === 'Secret' && metadata.name !== 'k8s-keystone-auth')
          .map(({ data }) => valuesOf(data)),
      );
    const expected = secretsOf(next);

    for (const [at, values] of secretsOf(old).entries()) {
      assert.equal(containsCredential(values, old), true);
      const replaced = withCredential(values, old, next);
      assert.deepEqual(replaced, expected[at]);
      assert.equal(containsCredential(replaced, old), false);
      assert.deepEqual(withCredential(replaced, old, next), replaced);
    }
  });

  it('stays where only its secret is that of another', () => {
    const values = { 'cloud.conf': `id=${'c'.repeat(32)} secret=${next.secret}` };

    assert.deepEqual(withCredential(values, next, old), values);
  });
});

function valuesOf(data: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data as Record<string, string>).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString(),
    ]),
  );
}
