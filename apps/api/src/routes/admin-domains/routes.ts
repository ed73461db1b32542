import { listOf } from '@gateway/core/shapes';
import { domainList } from '@gateway/resources';
import { domainShape } from '@gateway/resources/shapes';

import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { createDomain, deleteDomain, getDomain, updateDomain } from './handlers.ts';
import { createDomainBody, domainParams, updateDomainBody } from './schemas.ts';

export const adminDomainEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/domains',
    tag: adminTags.projects,
    summary: 'All domains of users, groups and projects',
    access: 'admin',
    response: listOf(domainShape),
    ...servesList(domainList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/domains',
    tag: adminTags.projects,
    summary: 'Create a domain',
    access: 'admin',
    body: createDomainBody,
    writes: { resource: 'domain', as: 'created' },
    status: 201,
    response: domainShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createDomain,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/domains/:domain_id',
    tag: adminTags.projects,
    summary: 'A domain',
    access: 'admin',
    params: domainParams,
    response: domainShape,
    handler: getDomain,
  }),
  endpoint({
    method: 'PATCH',
    path: '/api/admin/domains/:domain_id',
    tag: adminTags.projects,
    summary: 'Change a domain',
    description:
      'With `enabled` false, nobody can log in to the domain or its projects, and their tokens stop working at once, until it is ' +
      "enabled again. Refused with 409 for the caller's own domain, for the first one (`default`) and for those in the gateway's configuration.",
    access: 'admin',
    params: domainParams,
    body: updateDomainBody,
    writes: { resource: 'domain', as: 'updated' },
    response: domainShape,
    errors: ['conflict'],
    handler: updateDomain,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/domains/:domain_id',
    tag: adminTags.projects,
    summary: 'Delete a disabled domain with its users and groups',
    description: 'Refused with 409 while the domain is enabled or has projects.',
    access: 'admin',
    params: domainParams,
    writes: { resource: 'domain', as: 'deleted', touches: ['user', 'group', 'role'] },
    status: 204,
    errors: ['conflict'],
    handler: deleteDomain,
  }),
];
