import { toTimestamp, withoutMarks } from '@gateway/core';
import { fromServiceProtocol } from '@gateway/libraries';
import type { ShareRecord } from '@gateway/openstack';
import type { LibraryDefinition } from '@gateway/platform';
import { fileStorageActions } from '../actions/file-storage-actions.ts';
import { managerOfFileStorage } from '../actions/managed-by.ts';
import { type Actor, allowedActions, NOBODY } from '../actions/rule.ts';
import { allProjectNames, visibleProjectNames } from '../identity/projects.ts';
import { allUserNames, visibleUserNames } from '../identity/users.ts';
import { CachedList, hasRowsInTransition, type ListSources } from '../lists/cached-list.ts';
import { ListsByScope, projectsIn, sourcesIn } from '../lists/lists-by-scope.ts';
import { addNames } from '../lists/names.ts';
import { shareNetworkNames } from '../networks/name-lists.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isFileStorageInTransition } from '../transitions/states-in-transition.ts';
import { readExportPaths } from './export-paths.ts';
import type { FileStorage } from './file-storage-shape.ts';

/**
 * @param libraries the catalogue, which contains the library of a share
 */
export function presentFileStorage(
  share: ShareRecord,
  exportPaths: readonly string[],
  libraries: readonly LibraryDefinition[],
  actor: Actor,
): FileStorage {
  const metadata = withoutMarks(share);
  const libraryId = metadata.overlay_library;
  return {
    id: share.id,
    name: share.name,
    status: share.status,
    size: share.size,
    share_proto: fromServiceProtocol(share.share_proto) ?? share.share_proto,
    export_locations: [...exportPaths],
    metadata,
    library_name: libraries.find(({ id }) => id === libraryId)?.name ?? libraryId ?? null,
    library_version: metadata.overlay_version ?? null,
    built_at: builtAt(metadata.overlay_built_at),
    project_id: share.project_id,
    project_name: null,
    user_id: share.user_id,
    user_name: null,
    created_at: toTimestamp(share.created_at),
    share_network_id: share.share_network_id,
    share_network_name: null,
    is_public: share.is_public,
    managed_by: managerOfFileStorage(share),
    allowed_actions: allowedActions(fileStorageActions, share, actor),
    // The service does not say when a share has changed.
    ...markTransition(isFileStorageInTransition(share), share.status, { createdAt: share.created_at }),
  };
}

/** Users can write any text into the metadata of their shares. */
function builtAt(text: string | undefined): string | null {
  return text !== undefined && /^\d{4}-\d\d-\d\dT/.test(text) ? toTimestamp(text) : null;
}

/** Adds the names of the project, of users and of share networks to a project's shares. */
export function nameFileStorages(sources: ListSources, rows: FileStorage[]): Promise<FileStorage[]> {
  return addNames(sources, rows, sourcesIn('project', NAMES));
}

/** The sources of the names in a share. Those of a project vary by roles. */
const NAMES = {
  project_id: { project: visibleProjectNames, cloud: allProjectNames },
  user_id: { project: visibleUserNames, cloud: allUserNames },
  share_network_id: shareNetworkNames,
};

/** The project's own shares, without public shares of other projects; or those of all projects. */
export const fileStorageLists = new ListsByScope<FileStorage>({
  name: 'fileStorages',
  varyBy: 'roles',
  dependsOn: ['file_storage', 'project', 'user'],
  lifetime: 'fileStoragesSeconds',
  rowsWithStates: (rows) => rows,
  async load(sources, scope) {
    const { openstack, config } = sources;
    const query = projectsIn(scope);
    const shares = await openstack.sharedFileSystem.shares.list(query);
    const paths = await readExportPaths(openstack, shares, query);
    const actor = scope === 'cloud' ? NOBODY : sources;
    const rows = shares.map((share) =>
      presentFileStorage(share, paths.get(share.id) ?? [], config.libraries, actor),
    );
    return addNames(sources, rows, sourcesIn(scope, NAMES));
  },
});

/** The shares that are layers of instances: prebuilt shares, and shares that instances fill. */
export const layerFileStorageList = new CachedList<FileStorage[]>({
  name: 'layerStorages',
  varyBy: 'nothing',
  dependsOn: ['file_storage', 'library', 'project', 'user'],
  lifetime: 'adminSeconds',
  async load(sources) {
    const all = await fileStorageLists.cloud.read(sources, sources.refresh);
    const layers = all.filter(({ metadata }) => metadata.overlay_type !== undefined);
    if (hasRowsInTransition(all) && layers.some(isFileStorageInTransition)) sources.onTransition();
    return layers;
  },
});
