import { flag, idOrEmpty, listOf, nonEmptyText, oneOf, part, shapeLike, text } from '@gateway/core/shapes';
import type { LibraryValidation } from '@gateway/libraries';
import type { Library } from '@gateway/resources';
import Joi from 'joi';
import { existingNameField } from '../../http/schemas/fields.ts';

export interface ValidateLibrariesBody {
  library_ids: string[];
  os_version?: string;
}

const MAX_LIBRARIES = 50;

export const validateLibrariesBody = Joi.object<ValidateLibrariesBody, true>({
  library_ids: Joi.array().items(Joi.string().max(255)).max(MAX_LIBRARIES).required(),
  os_version: existingNameField().description('The system of the image, as `ubuntu-22.04`.'),
})
  .required()
  .meta({ name: 'ValidateLibraries' });

export const libraryShape = shapeLike<Library>('Library', {
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

function findings(...codes: LibraryValidation['conflicts'][number]['code'][]) {
  return listOf(
    part({
      code: oneOf(codes, 'os_version'),
      library_ids: listOf(nonEmptyText('python311')),
      message: text('Python 3.11 needs another system.'),
    }),
  );
}

export const libraryValidationShape = shapeLike<LibraryValidation>(
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
