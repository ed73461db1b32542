import type { ShareQuery } from '@gateway/openstack';
import { NOBODY } from '../actions/rule.ts';
import { allProjectNames } from '../identity/projects.ts';
import { allUserNames } from '../identity/users.ts';
import { CachedList, hasRowsInTransition } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { allShareNetworkNames } from '../networks/name-lists.ts';
import { isFileStorageInTransition } from '../transitions/states-in-transition.ts';
import { readExportPaths } from './export-paths.ts';
import { type FileStorage, presentFileStorage } from './file-storages.ts';

const EVERYWHERE = { all_tenants: 1 } satisfies ShareQuery;

/** The shares of all projects. */
export const allFileStorageList = new CachedList<FileStorage[]>({
  name: 'allFileStorages',
  varyBy: 'nothing',
  dependsOn: ['file_storage', 'library', 'project', 'user'],
  lifetime: 'adminSeconds',
  rowsWithStates: (rows) => rows,
  async load(sources) {
    const { openstack, config } = sources;
    const shares = await openstack.sharedFileSystem.shares.list(EVERYWHERE);
    const paths = await readExportPaths(openstack, shares, EVERYWHERE);
    const rows = shares.map((share) =>
      presentFileStorage(share, paths.get(share.id) ?? [], config.libraries, NOBODY),
    );
    return addNames(sources, rows, {
      project_id: allProjectNames,
      user_id: allUserNames,
      share_network_id: allShareNetworkNames,
    });
  },
});

/** The shares that are layers of instances: prebuilt shares, and shares that instances fill. */
export const layerFileStorageList = new CachedList<FileStorage[]>({
  name: 'layerStorages',
  varyBy: 'nothing',
  dependsOn: ['file_storage', 'library', 'project', 'user'],
  lifetime: 'adminSeconds',
  async load(sources) {
    const all = await allFileStorageList.read(sources, sources.refresh);
    const layers = all.filter(({ metadata }) => metadata.overlay_type !== undefined);
    if (hasRowsInTransition(all) && layers.some(isFileStorageInTransition)) sources.onTransition();
    return layers;
  },
});
