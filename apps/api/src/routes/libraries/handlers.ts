import { type LibraryValidation, validateLibraries } from '@gateway/libraries';
import { byLibrary, libraryShareList } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { ValidateLibrariesBody } from './schemas.ts';

export async function validateLibrarySet(
  request: RequestContext<unknown, unknown, ValidateLibrariesBody>,
): Promise<LibraryValidation> {
  const { app, body } = request;
  const prebuilt = byLibrary(await libraryShareList.read(sourcesOf(request)));
  return validateLibraries(app.config.libraries, body.library_ids, { osVersion: body.os_version, prebuilt });
}
