import { id, shapeLike, text } from '@gateway/core/shapes';
import type { FloatingIp } from '@gateway/resources';

export const floatingIpShape = shapeLike<Pick<FloatingIp, 'id' | 'floating_ip_address'>>(
  'InstanceFloatingIp',
  {
    id: id('instance_floating_ip'),
    floating_ip_address: text('203.0.113.20'),
  },
);
