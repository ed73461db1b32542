import type { LibraryFinding, LibraryValidation } from '@gateway/libraries';
import type { Library } from '@gateway/resources';
import Joi from 'joi';
import { existingNameField, listOf, nullableText, part, shape, text } from '../../http/schemas/fields.ts';

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

export const libraryShape = shape<Library>(
  'Library',
  {
    id: Joi.string(),
    name: Joi.string(),
    version: Joi.string(),
    packages: listOf(Joi.string()),
    depends_on: listOf(Joi.string()),
    os_versions: listOf(Joi.string()).description('Supported systems, as `ubuntu-22.04`; empty for any.'),
    python_version: nullableText(),
    file_storage_id: nullableText().description('Its prebuilt file storage.'),
    file_storage_name: nullableText(),
    available_prebuilt: Joi.boolean(),
  },
  () => ({ id: 'python311' }),
);

function findings(...codes: string[]) {
  return listOf(
    part<LibraryFinding>({
      code: Joi.string().valid(...codes),
      library_ids: listOf(Joi.string()),
      message: text(),
    }),
  );
}

export const libraryValidationShape = shape<LibraryValidation>(
  'LibraryValidation',
  {
    valid: Joi.boolean().description('True if there are no conflicts.'),
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
  () => ({
    valid: false,
    conflicts: [{ code: 'os_version', message: 'Python 3.11 needs another system.' }],
    warnings: [],
  }),
);
