import { id, shape, text } from '@gateway/core/shapes';

export const floatingIpShape = shape('InstanceFloatingIp', {
  id: id('instance_floating_ip'),
  floating_ip_address: text('203.0.113.20'),
});
