import { PREBUILT_QUERY, readPrebuiltShares } from '@gateway/libraries';
import { NOBODY } from '../actions/rule.ts';
import { CachedList } from '../lists/cached-list.ts';
import { readExportPaths } from './export-paths.ts';
import type { FileStorage } from './file-storage-shape.ts';
import { presentFileStorage } from './file-storages.ts';

/**
 * The prebuilt shares of the catalogue, in its order. They belong to the gateway's own user or to an
 * administrator, so the gateway's user reads them, and all projects share the result.
 */
export const libraryShareList = new CachedList<FileStorage[]>({
  name: 'libraryShares',
  varyBy: 'nothing',
  dependsOn: ['library'],
  lifetime: 'librariesSeconds',
  async load({ config, serviceUser }) {
    if (!config.services.sharedFs) return [];
    const service = await serviceUser();
    if (service === null) return [];
    const shares = [
      ...(await readPrebuiltShares(service.sharedFileSystem.shares, config.libraries)).values(),
    ];
    const paths = await readExportPaths(service, shares, PREBUILT_QUERY);
    return shares.map((share) =>
      presentFileStorage(share, paths.get(share.id) ?? [], config.libraries, NOBODY),
    );
  },
});
