import {
  enumOf,
  id,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';

const ruleFields = {
  id: id('security_group_rule'),
  direction: enumOf('RuleDirection', ['ingress', 'egress']),
  protocol: nonEmptyText('tcp')
    .nullable()
    .describe('Null for all. Here and below, `unknown` or -1 if the service does not say it.'),
  /** For ICMP the type, and `port_range_max` the code. */
  port_range_min: integer(443).nullable(),
  port_range_max: integer(443).nullable(),
  remote_ip_prefix: nonEmptyText('0.0.0.0/0')
    .nullable()
    .describe('Any address if this and the ids of both groups are null.'),
  remote_group_id: nonEmptyText().nullable(),
  remote_group_name: text().nullable(),
  remote_address_group_id: nonEmptyText()
    .nullable()
    .describe('Only the addresses of this address group, which others than the gateway keep.'),
  ethertype: text('IPv4'),
};

const securityGroupRuleShape = shape('SecurityGroupRule', ruleFields);

export type SecurityGroupRule = ShapeType<typeof securityGroupRuleShape>;

export const securityGroupShape = shape('SecurityGroup', {
  id: id('security_group'),
  name: text('web'),
  description: text(''),
  rules: listOf(securityGroupRuleShape),
});

export type SecurityGroup = ShapeType<typeof securityGroupShape>;

export const newRuleShape = shape('CreatedSecurityGroupRule', {
  ...ruleFields,
  security_group_id: idOrEmpty('security_group'),
  security_group_name: text('default').nullable(),
});

export type NewSecurityGroupRule = ShapeType<typeof newRuleShape>;
