import { requests } from '../access-request.ts';
import { type KubernetesObject, secret } from '../kubernetes-object.ts';
import { manifests, objectsIn } from '../manifests.ts';
import type { Plugin } from '../plugin.ts';
import { type PluginSettings, requireCredential } from '../settings.ts';

/**
 * NFS shares of the shared file system service for claims, to which many pods can write. Only types of shares
 * with `snapshot_support` and `create_share_from_snapshot_support` have snapshots.
 */
export const fileCsi: Plugin = {
  requires: ['sharedFileSystem'],
  requests: () => [
    ...requests('sharedFileSystem', 'GET', '/', '/shares/*', '/shares/*/export_locations', '/messages'),
    ...requests('sharedFileSystem', 'GET', '/snapshots/*'),
    ...requests(
      'sharedFileSystem',
      'POST',
      '/shares',
      '/shares/*/action',
      '/shares/*/metadata',
      '/snapshots',
    ),
    ...requests('sharedFileSystem', 'DELETE', '/shares/*', '/snapshots/*'),
  ],
  contribute: (settings) => ({
    manifests: [
      ...objectsIn('snapshot-definitions'),
      credential(settings),
      ...manifests('file-csi', settings),
      ...objectsIn('snapshot-controller'),
    ],
  }),
};

/** The driver reads no cloud configuration. The storage class gives it the credential with every request. */
function credential(settings: PluginSettings): KubernetesObject {
  const { identityUrl, region, caPem } = settings;
  const { id, secret: credentialSecret } = requireCredential(settings);
  return secret('csi-manila-credential', {
    'os-authURL': identityUrl,
    'os-region': region,
    'os-applicationCredentialID': id,
    'os-applicationCredentialSecret': credentialSecret,
    ...(caPem !== null && { 'os-certAuthority': caPem }),
  });
}
