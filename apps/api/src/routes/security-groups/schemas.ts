import Joi from 'joi';
import { descriptionField, idField, nameField } from '../../http/schemas/fields.ts';
import { cidrField } from '../../http/schemas/network-addresses.ts';

export interface CreateSecurityGroupBody {
  name: string;
  description?: string;
}

export interface UpdateSecurityGroupBody {
  name?: string;
  description?: string;
}

export interface CreateRuleBody {
  direction: 'ingress' | 'egress';
  /** Null or absent for all. */
  protocol?: 'tcp' | 'udp' | 'icmp' | null;
  port_range_min?: number;
  port_range_max?: number;
  remote_ip_prefix?: string;
  remote_group_id?: string;
  ethertype: 'IPv4' | 'IPv6';
}

export const createSecurityGroupBody = Joi.object<CreateSecurityGroupBody, true>({
  name: nameField().required(),
  description: descriptionField().optional(),
})
  .required()
  .meta({ name: 'CreateSecurityGroup' });

export const updateSecurityGroupBody = Joi.object<UpdateSecurityGroupBody, true>({
  name: nameField().optional(),
  description: descriptionField().optional(),
})
  .required()
  .meta({ name: 'UpdateSecurityGroup', example: () => ({ name: 'web' }) });

const MAX_PORT = 65_535;

const portField = () => Joi.number().integer().min(0).max(MAX_PORT).optional();

/**
 * The interface has fewer protocols than the service, and networks only in CIDR notation. Rules with others,
 * which were made elsewhere, are shown as they are.
 */
export const createRuleBody = Joi.object<CreateRuleBody, true>({
  direction: Joi.string().valid('ingress', 'egress').required().meta({ name: 'RuleDirection' }),
  protocol: Joi.string().valid('tcp', 'udp', 'icmp', null).optional().description('All if null or absent.'),
  port_range_min: portField().description('The first port, 1 to 65535; for `icmp` the type, 0 to 255.'),
  port_range_max: portField().description('The last port; for `icmp` the code, 0 to 255.'),
  remote_ip_prefix: cidrField()
    .optional()
    .description('Any address if neither this nor `remote_group_id` is given.'),
  remote_group_id: idField().optional().description('Addresses of ports with this security group.'),
  ethertype: Joi.string().valid('IPv4', 'IPv6').default('IPv4'),
})
  .required()
  .meta({
    name: 'CreateSecurityGroupRule',
    example: () => ({
      protocol: 'tcp',
      port_range_min: 443,
      port_range_max: 443,
      remote_ip_prefix: '0.0.0.0/0',
    }),
  });
