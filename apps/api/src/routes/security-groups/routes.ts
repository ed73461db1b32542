import { listOf } from '@gateway/core/shapes';
import { securityGroupList } from '@gateway/resources';
import { newRuleShape, securityGroupShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  createRule,
  createSecurityGroup,
  deleteRule,
  deleteSecurityGroup,
  updateSecurityGroup,
} from './handlers.ts';
import { createRuleBody, createSecurityGroupBody, updateSecurityGroupBody } from './schemas.ts';

const tag = { name: 'security-groups', description: 'Security groups and their rules' };

export const securityGroupEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/security-groups',
    tag,
    summary: "The project's security groups with their rules",
    description: 'The default group first.',
    access: 'project',
    watched: 'security_group',
    response: listOf(securityGroupShape),
    ...servesList(securityGroupList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/security-groups',
    tag,
    summary: 'Create a security group',
    description: 'The service gives it rules that allow all outgoing traffic.',
    access: 'project',
    body: createSecurityGroupBody,
    writes: { resource: 'security_group', as: 'created' },
    status: 201,
    response: securityGroupShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createSecurityGroup,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/security-groups/:sg_id',
    tag,
    summary: 'Rename a security group, or describe it',
    description: 'Fields that are absent stay as they are. A new name for the default group is 409.',
    access: 'project',
    params: pathIds('sg_id'),
    body: updateSecurityGroupBody,
    writes: { resource: 'security_group', as: 'updated' },
    response: securityGroupShape,
    errors: ['forbidden', 'conflict'],
    handler: updateSecurityGroup,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/security-groups/:sg_id',
    tag,
    summary: 'Delete a security group',
    description:
      'Refused with 409 for the default group, and while ports have the group; `detail` names who uses them.',
    access: 'project',
    params: pathIds('sg_id'),
    writes: { resource: 'security_group', as: 'deleted' },
    status: 204,
    errors: ['forbidden', 'conflict'],
    handler: deleteSecurityGroup,
  }),
  endpoint({
    method: 'POST',
    path: '/api/security-groups/:sg_id/rules',
    tag,
    summary: 'Add a rule to a security group',
    description: 'A rule that the group has already is 409.',
    access: 'project',
    params: pathIds('sg_id'),
    body: createRuleBody,
    writes: { resource: 'security_group', as: 'updated' },
    status: 201,
    response: newRuleShape,
    errors: ['forbidden', 'conflict', 'quota_exceeded'],
    handler: createRule,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/security-groups/:sg_id/rules/:rule_id',
    tag,
    summary: 'Remove a rule from a security group',
    access: 'project',
    params: pathIds('sg_id', 'rule_id'),
    writes: { resource: 'security_group', as: 'updated' },
    status: 204,
    errors: ['forbidden'],
    handler: deleteRule,
  }),
];
