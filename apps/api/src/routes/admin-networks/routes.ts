import { pathIds } from '../../http/schemas/fields.ts';
import { networkShape } from '../../http/schemas/network.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTag } from '../admin-tag.ts';
import { createNetwork, deleteNetwork, updateNetwork } from './handlers.ts';
import { createNetworkBody, updateNetworkBody } from './schemas.ts';

const params = pathIds('network_id');

export const adminNetworkEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/admin/networks',
    tag: adminTag,
    summary: 'Create a network, also a shared or external one',
    description:
      'In the project of the request. With `cidr` it has a subnet; if that cannot be created, neither is the network.',
    access: 'admin',
    body: createNetworkBody,
    changes: ['network', 'subnet'],
    status: 201,
    response: networkShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createNetwork,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/networks/:network_id',
    tag: adminTag,
    summary: 'Rename a network of any project, or share it',
    description: 'Refused with 409 if other projects use a network that is no longer to be shared.',
    access: 'admin',
    params,
    body: updateNetworkBody,
    changes: ['network'],
    response: networkShape,
    errors: ['conflict'],
    handler: updateNetwork,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/networks/:network_id',
    tag: adminTag,
    summary: 'Delete a network of any project',
    description: 'Refused with 409 while the network has subnets or ports; `detail` names them.',
    access: 'admin',
    params,
    changes: ['network', 'subnet', 'port'],
    status: 204,
    errors: ['conflict'],
    handler: deleteNetwork,
  }),
];
