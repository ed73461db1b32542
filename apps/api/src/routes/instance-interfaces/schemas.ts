import type { AddressPair, InstanceInterface, PortSecurityGroups } from '@gateway/resources';
import Joi from 'joi';
import { idField, listOf, namesBeside, nullableText, part, shape, text } from '../../http/schemas/fields.ts';
import { fixedIpsShape } from '../../http/schemas/fixed-ips.ts';

export interface AddInterfaceBody {
  net_id: string;
}

export const addInterfaceBody = Joi.object<AddInterfaceBody, true>({ net_id: idField().required() })
  .required()
  .meta({ name: 'AddInterface' });

export const interfaceShape = shape<InstanceInterface>(
  'InstanceInterface',
  {
    id: Joi.string().description("The port's id."),
    port_id: Joi.string(),
    port_name: text(),
    net_id: text(),
    network_id: text(),
    network_name: nullableText(),
    mac_address: text(),
    fixed_ips: fixedIpsShape,
    security_group_ids: listOf(Joi.string()),
    security_group_names: namesBeside(),
    port_security_enabled: Joi.boolean().description(
      'False for a port that neither security groups nor its addresses restrict.',
    ),
    allowed_address_pairs: listOf(part<AddressPair>({ ip_address: text(), mac_address: text() })).description(
      'Further addresses that the port may use.',
    ),
    status: Joi.string(),
  },
  () => ({ status: 'ACTIVE' }),
);

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

export const portSecurityGroupsShape = shape<PortSecurityGroups>('PortSecurityGroups', {
  port_id: Joi.string(),
  port_name: text(),
  security_groups: listOf(
    part({ id: Joi.string(), name: text().description('Empty if the caller may not see the group.') }),
  ),
});
