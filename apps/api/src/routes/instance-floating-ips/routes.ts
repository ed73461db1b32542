import { id, shape, text } from '@gateway/core/shapes';
import { pathIds } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { instanceTag } from '../instance-tag.ts';
import { addFloatingIp, removeFloatingIps } from './handlers.ts';

const floatingIpShape = shape('InstanceFloatingIp', {
  id: id('instance_floating_ip'),
  floating_ip_address: text('203.0.113.20'),
});

export const instanceFloatingIpEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/instances/:instance_id/floating-ip',
    tag: instanceTag,
    summary: 'Give an instance a floating IP',
    description:
      'From the external network to which a router connects the instance; else from the configured one, else from the first by name. 400 with the code `no_external_network` without such a network, 409 if every port that could take a floating IP has one, 500 with the code `floating_ip_failed` if no address could be allocated.',
    access: 'project',
    params: pathIds('instance_id'),
    response: floatingIpShape,
    writes: { resource: 'floating_ip', as: 'updated', id: ({ id }) => id, touches: ['instance'] },
    errors: ['no_external_network', 'conflict', 'quota_exceeded', 'floating_ip_failed'],
    handler: addFloatingIp,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/instances/:instance_id/floating-ip',
    tag: instanceTag,
    summary: 'Release all floating IPs of an instance',
    description:
      'Best effort: 204 also if the network service is unavailable or releases only some of them. The audit log names those that stay.',
    access: 'project',
    params: pathIds('instance_id'),
    status: 204,
    writes: { resource: 'floating_ip', as: 'updated', touches: ['instance'] },
    handler: removeFloatingIps,
  }),
];
