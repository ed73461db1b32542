import { flag, listOf, nonEmptyText, oneOf, part, shapeLike, text } from '@gateway/core/shapes';
import type { LibraryValidation } from '@gateway/libraries';
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
