import { flag, listOf, nonEmptyText, oneOf, part, type ShapeType, shape, text } from '@gateway/core/shapes';

export type FindingCode =
  | 'unknown_library'
  | 'os_version'
  | 'python_version'
  | 'interpreter'
  | 'library_version'
  | 'package_version'
  | 'dependency_added'
  | 'not_prebuilt';

function findings(...codes: FindingCode[]) {
  return listOf(
    part({
      code: oneOf(codes, 'os_version'),
      library_ids: listOf(nonEmptyText('python311')),
      message: text('Python 3.11 needs another system.'),
    }),
  );
}

export const libraryValidationShape = shape(
  'LibraryValidation',
  {
    valid: flag(false).describe('True if there are no conflicts.'),
    conflicts: findings(
      'unknown_library',
      'os_version',
      'python_version',
      'interpreter',
      'library_version',
      'package_version',
    ),
    warnings: findings('dependency_added', 'not_prebuilt', 'package_version'),
  },
  () => ({ warnings: [] }),
);

export type LibraryValidation = ShapeType<typeof libraryValidationShape>;
export type LibraryFinding = LibraryValidation['conflicts'][number];
