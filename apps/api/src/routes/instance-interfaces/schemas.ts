import {
  flag,
  id,
  idOrEmpty,
  listOf,
  namesBeside,
  nonEmptyText,
  part,
  shapeLike,
  text,
} from '@gateway/core/shapes';
import type { InstanceInterface, PortSecurityGroups } from '@gateway/resources';
import { fixedIpsShape } from '@gateway/resources/shapes';
import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface AddInterfaceBody {
  net_id: string;
}

export const addInterfaceBody = Joi.object<AddInterfaceBody, true>({ net_id: idField().required() })
  .required()
  .meta({ name: 'AddInterface' });

export const interfaceShape = shapeLike<InstanceInterface>('InstanceInterface', {
  id: id('instance_interface').describe("The port's id."),
  port_id: id('port'),
  port_name: text(''),
  net_id: idOrEmpty('net'),
  network_id: idOrEmpty('network'),
  network_name: text('inside').nullable(),
  mac_address: text('fa:16:3e:2b:7c:01'),
  fixed_ips: fixedIpsShape,
  security_group_ids: listOf(id('security_group')),
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

export interface PortSecurityGroupsBody {
  security_group_ids: string[];
}

/** More than a project has by default (10). */
const MAX_SECURITY_GROUPS = 100;

export const portSecurityGroupsBody = Joi.object<PortSecurityGroupsBody, true>({
  security_group_ids: Joi.array()
    .items(idField())
    .max(MAX_SECURITY_GROUPS)
    .required()
    .description('Replaces the security groups of the port. An empty array removes all.'),
})
  .required()
  .meta({ name: 'SetPortSecurityGroups' });

export const portSecurityGroupsShape = shapeLike<PortSecurityGroups>('PortSecurityGroups', {
  port_id: id('port'),
  port_name: text(''),
  security_groups: listOf(
    part({
      id: id('security_group'),
      name: text('web').describe('Empty if the caller may not see the group.'),
    }),
  ),
});
