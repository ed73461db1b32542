import { requests } from '../access-request.ts';
import { cloudConfigSecret } from '../cloud-config-secret.ts';
import { manifests, objectsIn } from '../manifests.ts';
import type { Plugin } from '../plugin.ts';

/**
 * Volumes of the block storage service for claims, and their snapshots. Its storage class is the default, in
 * place of k3s's own.
 */
export const blockCsi: Plugin = {
  requires: ['compute', 'blockStorage'],
  requests: () => [
    ...requests('blockStorage', 'GET', '/volumes/*', '/snapshots', '/snapshots/*'),
    ...requests('blockStorage', 'POST', '/volumes', '/volumes/*/action', '/snapshots'),
    ...requests('blockStorage', 'DELETE', '/volumes/*', '/snapshots/*'),
    // The program asks whether a snapshot is a backup before it deletes it.
    ...requests('blockStorage', 'GET', '/backups/*'),
    ...requests('compute', 'GET', '/servers/*'),
    ...requests('compute', 'POST', '/servers/*/os-volume_attachments'),
    ...requests('compute', 'DELETE', '/servers/*/os-volume_attachments/*'),
  ],
  contribute: (settings) => ({
    manifests: [
      ...objectsIn('snapshot-definitions'),
      cloudConfigSecret(settings),
      ...manifests('block-csi', settings),
      ...objectsIn('snapshot-controller'),
    ],
    serverArguments: ['--disable=local-storage'],
    readsCloudConf: true,
  }),
};
