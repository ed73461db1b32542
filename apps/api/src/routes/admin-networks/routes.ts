import { adminNetworkShape, subnetDetailShape } from '@gateway/resources/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { createSubnetBody, updateSubnetBody } from '../networks/schemas.ts';
import { createNetwork, deleteNetwork, updateNetwork } from './handlers.ts';
import { createNetworkBody, updateNetworkBody } from './schemas.ts';
import { createSubnet, deleteSubnet, updateSubnet } from './subnets.ts';

const params = pathIds('network_id');

export const adminNetworkEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/admin/networks',
    tag: adminTags.networks,
    summary: 'Create a network, also a shared or external one',
    description:
      'In the project of the request. With `cidr` it has a subnet; if that cannot be created, neither is the network. A segment that is in use is 409.',
    access: 'admin',
    body: createNetworkBody,
    writes: { resource: 'network', as: 'created', touches: ['subnet'] },
    status: 201,
    response: adminNetworkShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createNetwork,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/networks/:network_id',
    tag: adminTags.networks,
    summary: 'Rename a network of any project, or share it',
    description: 'Refused with 409 if other projects use a network that is no longer to be shared.',
    access: 'admin',
    params,
    body: updateNetworkBody,
    writes: { resource: 'network', as: 'updated' },
    response: adminNetworkShape,
    errors: ['conflict'],
    handler: updateNetwork,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/networks/:network_id',
    tag: adminTags.networks,
    summary: 'Delete a network of any project',
    description: 'Refused with 409 while the network has subnets or ports; `detail` names them.',
    access: 'admin',
    params,
    writes: { resource: 'network', as: 'deleted', touches: ['subnet', 'port'] },
    status: 204,
    errors: ['conflict'],
    handler: deleteNetwork,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/networks/:network_id/subnets',
    tag: adminTags.networks,
    summary: 'Add a subnet to a network of any project',
    description: 'It belongs to the project of the network.',
    access: 'admin',
    params,
    body: createSubnetBody,
    writes: [
      { resource: 'network', as: 'updated' },
      { resource: 'subnet', as: 'created' },
    ],
    status: 201,
    response: subnetDetailShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createSubnet,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/admin/networks/subnets/:subnet_id',
    tag: adminTags.networks,
    summary: 'Change a subnet of any project',
    description: 'Fields that are absent stay as they are; a list replaces all entries.',
    access: 'admin',
    params: pathIds('subnet_id'),
    body: updateSubnetBody,
    writes: { resource: 'subnet', as: 'updated', touches: ['network'] },
    response: subnetDetailShape,
    errors: ['conflict'],
    handler: updateSubnet,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/networks/subnets/:subnet_id',
    tag: adminTags.networks,
    summary: 'Delete a subnet of any project',
    description: 'Refused with 409 while ports have addresses of the subnet; `detail` names who uses them.',
    access: 'admin',
    params: pathIds('subnet_id'),
    writes: { resource: 'subnet', as: 'deleted', touches: ['network'] },
    status: 204,
    errors: ['conflict'],
    handler: deleteSubnet,
  }),
];
