import { dnsNetworkList, networkList, topology } from '@gateway/views';
import { listOf, pathIds } from '../../http/schemas/fields.ts';
import { networkShape, subnetShape } from '../../http/schemas/network.ts';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  createNetwork,
  createSubnet,
  deleteNetwork,
  deleteSubnet,
  getNetwork,
  updateSubnet,
} from './handlers.ts';
import {
  createNetworkBody,
  createSubnetBody,
  dnsNetworkShape,
  networkDetailShape,
  topologyShape,
  updateSubnetBody,
} from './schemas.ts';

const tag = { name: 'networks', description: 'Networks and their subnets' };

export const networkEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/networks',
    tag,
    summary: 'The networks that the project sees',
    description: "The project's own first, then shared ones, then those that are only external.",
    access: 'project',
    response: listOf(networkShape),
    ...servesList(networkList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/networks',
    tag,
    summary: 'Create a network',
    access: 'project',
    body: createNetworkBody,
    changes: ['network'],
    status: 201,
    response: networkShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createNetwork,
  }),
  endpoint({
    method: 'GET',
    path: '/api/networks/topology',
    tag,
    summary: 'The networks that the project sees, and what is on them',
    description:
      "The project's own networks, shared and external ones; the project's routers, instances and floating IPs. Enough to draw them without another request.",
    access: 'project',
    response: topologyShape,
    ...servesList(topology),
  }),
  endpoint({
    method: 'GET',
    path: '/api/networks/dns',
    tag,
    summary: 'The networks whose addresses can have names in the DNS',
    description:
      'Those of the networks that the project sees which have a domain. Empty in a cloud without the extension.',
    access: 'project',
    response: listOf(dnsNetworkShape),
    ...servesList(dnsNetworkList),
  }),
  endpoint({
    method: 'GET',
    path: '/api/networks/:network_id',
    tag,
    summary: 'A network with its subnets and routers',
    description: 'Only administrators see the subnets of a network that is external and not shared.',
    access: 'project',
    params: pathIds('network_id'),
    response: networkDetailShape,
    handler: getNetwork,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/networks/:network_id',
    tag,
    summary: 'Delete a network',
    description: 'Refused with 409 while the network has subnets or ports; `detail` names them.',
    access: 'project',
    params: pathIds('network_id'),
    changes: ['network'],
    status: 204,
    errors: ['forbidden', 'conflict'],
    handler: deleteNetwork,
  }),
  endpoint({
    method: 'POST',
    path: '/api/networks/:network_id/subnets',
    tag,
    summary: 'Add a subnet to a network',
    description:
      'Without `gateway_ip`, the gateway has the first address of the CIDR; with null there is none. A CIDR that overlaps with another subnet of the network is 400.',
    access: 'project',
    params: pathIds('network_id'),
    body: createSubnetBody,
    changes: ['network', 'subnet'],
    status: 201,
    response: subnetShape,
    errors: ['forbidden', 'conflict', 'quota_exceeded'],
    handler: createSubnet,
  }),
  endpoint({
    method: 'PUT',
    path: '/api/networks/subnets/:subnet_id',
    tag,
    summary: 'Change a subnet',
    description:
      'Fields that are absent stay as they are. A gateway within a range from which addresses are allocated is 409.',
    access: 'project',
    params: pathIds('subnet_id'),
    body: updateSubnetBody,
    changes: ['network', 'subnet'],
    response: subnetShape,
    errors: ['forbidden', 'conflict'],
    handler: updateSubnet,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/networks/subnets/:subnet_id',
    tag,
    summary: 'Delete a subnet',
    description: 'Refused with 409 while ports have addresses of the subnet; `detail` names who uses them.',
    access: 'project',
    params: pathIds('subnet_id'),
    changes: ['network', 'subnet'],
    status: 204,
    errors: ['forbidden', 'conflict'],
    handler: deleteSubnet,
  }),
];
