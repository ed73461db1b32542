import { type Domain, domainList } from '@gateway/views';
import Joi from 'joi';
import { listOf, shape, text } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';

const domainShape = shape<Domain>('Domain', {
  id: Joi.string(),
  name: text(),
  description: text(),
  enabled: Joi.boolean(),
});

export const adminDomainEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/domains',
    tag: adminTag,
    summary: 'All domains of users, groups and projects',
    access: 'admin',
    response: listOf(domainShape),
    ...servesList(domainList),
  }),
];
