import { listOf } from '@gateway/core/shapes';
import { libraryValidationShape } from '@gateway/libraries/shapes';
import { libraryList, libraryShareList } from '@gateway/resources';
import { fileStorageShape, libraryShape } from '@gateway/resources/shapes';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { validateLibrarySet } from './handlers.ts';
import { validateLibrariesBody } from './schemas.ts';

const tag = { name: 'libraries', description: 'Libraries for instances' };

export const libraryEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/libraries',
    tag,
    summary: 'The catalogue of libraries',
    access: 'project',
    response: listOf(libraryShape),
    ...servesList(libraryList),
  }),
  endpoint({
    method: 'GET',
    path: '/api/libraries/shares',
    tag,
    summary: 'The prebuilt file storages of the libraries',
    access: 'project',
    response: listOf(fileStorageShape),
    ...servesList(libraryShareList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/libraries/validate',
    tag,
    summary: 'Whether libraries can be used together',
    description: 'Ids that are not in the catalogue are conflicts.',
    access: 'project',
    body: validateLibrariesBody,
    writes: 'nothing',
    response: libraryValidationShape,
    handler: validateLibrarySet,
  }),
];
