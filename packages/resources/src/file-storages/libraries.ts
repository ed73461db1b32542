import type { LibraryDefinition } from '@gateway/platform';
import { CachedList } from '../lists/cached-list.ts';
import type { FileStorage } from './file-storage-shape.ts';
import type { Library } from './library-shape.ts';
import { libraryShareList } from './library-shares.ts';

function presentLibrary(
  library: LibraryDefinition,
  prebuilt: ReadonlyMap<string, Pick<FileStorage, 'id' | 'name'>>,
): Library {
  const fileStorage = prebuilt.get(library.id) ?? null;
  return {
    id: library.id,
    name: library.name,
    version: library.version,
    packages: library.packages,
    depends_on: library.dependsOn,
    os_versions: library.osVersions,
    python_version: library.pythonVersion,
    file_storage_id: fileStorage?.id ?? null,
    file_storage_name: fileStorage?.name ?? null,
    available_prebuilt: fileStorage !== null,
  };
}

/** Prebuilt shares by the id of their library. */
export function byLibrary(shares: readonly FileStorage[]): Map<string, FileStorage> {
  return new Map(shares.map((share) => [share.metadata.overlay_library ?? '', share]));
}

export const libraryList = new CachedList<Library[]>({
  name: 'libraries',
  varyBy: 'nothing',
  dependsOn: ['library'],
  lifetime: 'librariesSeconds',
  async load(sources) {
    const prebuilt = byLibrary(await libraryShareList.read(sources, sources.refresh));
    return sources.config.libraries.map((library) => presentLibrary(library, prebuilt));
  },
});
