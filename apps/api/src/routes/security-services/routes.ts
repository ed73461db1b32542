import { listOf } from '@gateway/core/shapes';
import { securityServiceShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { fileStorageTag } from '../file-storage/tag.ts';
import {
  addSecurityService,
  createSecurityService,
  deleteSecurityService,
  getSecurityService,
  listSecurityServices,
  removeSecurityService,
} from './handlers.ts';
import { createSecurityServiceBody } from './schemas.ts';

const service = 'sharedFs';
const path = '/api/file-storage/security-services';
const pathOfPair =
  '/api/file-storage/share-networks/:share_network_id/security-services/:security_service_id';
const params = pathIds('security_service_id');
const pair = pathIds('share_network_id', 'security_service_id');

export const securityServiceEndpoints = [
  endpoint({
    method: 'GET',
    path,
    tag: fileStorageTag,
    summary: "The project's security services",
    description: 'Where storage systems ask who a user is: Active Directory, Kerberos, LDAP.',
    access: 'project',
    service,
    response: listOf(securityServiceShape),
    rows: { filters: { share_network_id: ['share_network_ids'] } },
    handler: listSecurityServices,
  }),
  endpoint({
    method: 'POST',
    path,
    tag: fileStorageTag,
    summary: 'Create a security service',
    access: 'project',
    service,
    body: createSecurityServiceBody,
    writes: { resource: 'security_service', as: 'created' },
    status: 201,
    response: securityServiceShape,
    example: () => ({ share_network_ids: [], share_network_names: [] }),
    handler: createSecurityService,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:security_service_id`,
    tag: fileStorageTag,
    summary: 'One security service',
    access: 'project',
    service,
    params,
    response: securityServiceShape,
    handler: getSecurityService,
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:security_service_id`,
    tag: fileStorageTag,
    summary: 'Delete a security service',
    description: 'Refused with 409 while share networks use it.',
    access: 'project',
    service,
    params,
    writes: { resource: 'security_service', as: 'deleted' },
    status: 204,
    errors: ['conflict'],
    handler: deleteSecurityService,
  }),
  endpoint({
    method: 'PUT',
    path: pathOfPair,
    tag: fileStorageTag,
    summary: 'Add a security service to a share network',
    description:
      'One of each type. Refused with 409 for a second one of a type, and once the share network has had file storages.',
    access: 'project',
    service,
    params: pair,
    writes: { resource: 'share_network', as: 'updated', touches: ['security_service'] },
    status: 204,
    errors: ['conflict'],
    handler: addSecurityService,
  }),
  endpoint({
    method: 'DELETE',
    path: pathOfPair,
    tag: fileStorageTag,
    summary: 'Remove a security service from a share network',
    description: 'Refused with 409 once the share network has had file storages.',
    access: 'project',
    service,
    params: pair,
    writes: { resource: 'share_network', as: 'updated', touches: ['security_service'] },
    status: 204,
    errors: ['conflict'],
    handler: removeSecurityService,
  }),
];
