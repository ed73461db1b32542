import { listOf } from '@gateway/core/shapes';
import { interfaceShape, portSecurityGroupsShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import {
  addInterface,
  listInterfaces,
  listSecurityGroups,
  removeInterface,
  setSecurityGroups,
} from './handlers.ts';
import { addInterfaceBody, portSecurityGroupsBody } from './schemas.ts';

export const instanceInterfaceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/instances/:instance_id/interfaces',
    tag: instanceTag,
    summary: 'The network interfaces of an instance',
    access: 'project',
    params: pathIds('instance_id'),
    response: listOf(interfaceShape),
    rows: { filters: { subnet_id: ['fixed_ips.subnet_id'], security_group_id: ['security_group_ids'] } },
    handler: listInterfaces,
  }),
  endpoint({
    method: 'POST',
    path: '/api/instances/:instance_id/interfaces',
    tag: instanceTag,
    summary: 'Connect an instance to a network',
    access: 'project',
    params: pathIds('instance_id'),
    body: addInterfaceBody,
    status: 201,
    response: interfaceShape,
    writes: [
      { resource: 'instance', as: 'updated' },
      { resource: 'port', as: 'created' },
    ],
    errors: ['conflict', 'quota_exceeded'],
    handler: addInterface,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/instances/:instance_id/interfaces/:port_id',
    tag: instanceTag,
    summary: 'Disconnect an instance from a network',
    description:
      'The floating IPs that the gateway has created for the instance on this interface are released; others stay in the project. With the interface of an instance whose libraries are on NFS shares, its access to these shares ends.',
    access: 'project',
    params: pathIds('instance_id', 'port_id'),
    status: 204,
    writes: [
      { resource: 'instance', as: 'updated', touches: ['floating_ip'] },
      { resource: 'port', as: 'deleted' },
    ],
    errors: ['conflict', 'service_user_missing'],
    handler: removeInterface,
  }),
  endpoint({
    method: 'GET',
    path: '/api/instances/:instance_id/security-groups',
    tag: instanceTag,
    summary: 'The ports of an instance with their security groups',
    access: 'project',
    params: pathIds('instance_id'),
    response: listOf(portSecurityGroupsShape),
    rows: { id: 'port_id', filters: { name: ['port_name'], security_group_id: ['security_groups.id'] } },
    handler: listSecurityGroups,
  }),
  endpoint({
    method: 'POST',
    path: '/api/instances/:instance_id/ports/:port_id/security-groups',
    tag: instanceTag,
    summary: 'Replace the security groups of a port',
    access: 'project',
    params: pathIds('instance_id', 'port_id'),
    body: portSecurityGroupsBody,
    response: portSecurityGroupsShape,
    writes: { resource: 'instance', as: 'updated', touches: ['port', 'security_group'] },
    errors: ['conflict'],
    handler: setSecurityGroups,
  }),
];
