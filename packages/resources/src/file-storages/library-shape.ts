import { flag, idOrEmpty, listOf, nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';

export const libraryShape = shape('Library', {
  id: nonEmptyText('python311'),
  name: nonEmptyText('Python 3.11'),
  version: nonEmptyText('3.11'),
  packages: listOf(nonEmptyText('python3.11'), ['python3.11', 'python3.11-venv']),
  depends_on: listOf(nonEmptyText(), []),
  os_versions: listOf(nonEmptyText('22.04')).describe('Supported systems, as `ubuntu-22.04`; empty for any.'),
  python_version: text('3.11').nullable(),
  file_storage_id: idOrEmpty('file_storage').nullable().describe('Its prebuilt file storage.'),
  file_storage_name: text('python311-3.11').nullable(),
  available_prebuilt: flag(),
});

export type Library = ShapeType<typeof libraryShape>;
