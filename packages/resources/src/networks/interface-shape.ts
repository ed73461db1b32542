import {
  flag,
  id,
  idOrEmpty,
  listOf,
  namesBeside,
  nonEmptyText,
  part,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';
import { fixedIpsShape } from './fixed-ips-shape.ts';

export const interfaceShape = shape('InstanceInterface', {
  id: id('instance_interface').describe("The port's id."),
  port_id: id('port'),
  port_name: text(''),
  net_id: idOrEmpty('net'),
  network_id: idOrEmpty('network'),
  network_name: text('inside').nullable(),
  mac_address: text('fa:16:3e:2b:7c:01'),
  fixed_ips: fixedIpsShape,
  security_group_ids: listOf(id('security_group')),
  /** Null for a group that the project does not have. */
  security_group_names: namesBeside('default'),
  port_security_enabled: flag().describe(
    'False for a port that neither security groups nor its addresses restrict.',
  ),
  allowed_address_pairs: listOf(
    part({ ip_address: text('10.0.0.1'), mac_address: text('fa:16:3e:2b:7c:01') }),
    [],
  ).describe('Further addresses that the port may use.'),
  status: nonEmptyText('ACTIVE'),
});

export type InstanceInterface = ShapeType<typeof interfaceShape>;

export const portSecurityGroupsShape = shape('PortSecurityGroups', {
  port_id: id('port'),
  port_name: text(''),
  security_groups: listOf(
    part({
      id: id('security_group'),
      name: text('web').describe('Empty if the caller may not see the group.'),
    }),
  ),
});

export type PortSecurityGroups = ShapeType<typeof portSecurityGroupsShape>;
