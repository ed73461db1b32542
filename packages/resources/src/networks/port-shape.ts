import { id, idOrEmpty, nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';
import { fixedIpsShape } from './fixed-ips-shape.ts';

export const portShape = shape('Port', {
  id: id('port'),
  name: text(''),
  status: nonEmptyText('ACTIVE'),
  network_id: idOrEmpty('network'),
  network_name: text('inside').nullable(),
  device_owner: text('compute:nova').describe(
    '`compute:nova`, `network:router_interface`, …; empty if unused.',
  ),
  device_id: idOrEmpty('device'),
  device_name: text('/dev/vdb').nullable().describe('Of an instance or a router.'),
  mac_address: text('fa:16:3e:2b:7c:01'),
  fixed_ips: fixedIpsShape,
  project_id: idOrEmpty('project').nullable().describe('Null for a port of the network service itself.'),
  project_name: text('demo').nullable(),
});

/** A port of any project. */
export type Port = ShapeType<typeof portShape>;
