import { flag, id, idOrEmpty, nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';

/** A floating IP as all endpoints show it. */
export const floatingIpShape = shape('FloatingIp', {
  id: id('floating_ip'),
  floating_ip_address: text('203.0.113.20'),
  fixed_ip_address: text('10.0.0.11').nullable(),
  status: nonEmptyText('ACTIVE').describe(
    '`ACTIVE` while it is associated or forwards ports, else `DOWN`; or another status of the service.',
  ),
  port_id: id('port')
    .nullable()
    .describe('Null while it is not associated; `unknown` if the service does not say it.'),
  port_name: text('').nullable(),
  instance_id: idOrEmpty('instance')
    .nullable()
    .describe('The instance with the port, if an instance has it.'),
  instance_name: text('web-1').nullable(),
  has_port_forwardings: flag(false).describe(
    'Whether it forwards single ports to addresses. It is then in use without a port, and cannot be associated or released.',
  ),
  floating_network_id: idOrEmpty('floating_network'),
  floating_network_name: text('public').nullable(),
  project_id: id('project').nullable(),
  project_name: text('demo').nullable(),
});

export type FloatingIp = ShapeType<typeof floatingIpShape>;
