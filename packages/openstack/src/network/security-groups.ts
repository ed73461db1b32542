import { z } from 'zod';
import {
  alsoNamed,
  extensionText,
  flag,
  integerOrNone,
  item,
  key,
  listOf,
  saidText,
  text,
  textOrNone,
} from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { ExtensionCollection } from './extension-collection.ts';
import type { NetworkFilters } from './filters.ts';

/** No port has this number. */
const NO_PORT = -1;

/** A restriction that cannot be read must not look like none. */
const ruleFields = {
  id: key(),
  security_group_id: text(),
  direction: z.enum(['ingress', 'egress']).catch('ingress'),
  ethertype: text(),
  /** Null for all, like the next three. */
  protocol: textOrNone(),
  port_range_min: integerOrNone(NO_PORT),
  port_range_max: integerOrNone(NO_PORT),
  remote_ip_prefix: textOrNone(),
  remote_group_id: textOrNone(),
  /** A list of networks that administrators keep. */
  remote_address_group_id: extensionText(),
};

const ruleRecord = declareRecord('network', 'security_group_rule', ruleFields);

export type SecurityGroupRuleRecord = RecordOf<typeof ruleRecord>;

export const securityGroupRecord = declareRecord('network', 'security_group', {
  id: key(),
  name: text(),
  project_id: alsoNamed('tenant_id', text()),
  /** Null if the service does not say it: then the group may have any mark. */
  description: saidText(),
  /** Other projects may use the group. */
  shared: flag(false),
  security_group_rules: listOf(item(ruleFields)),
  created_at: text(),
});

export type SecurityGroupRecord = RecordOf<typeof securityGroupRecord>;

interface SecurityGroupCreate {
  name: string;
  description?: string;
  project_id?: string;
}

interface SecurityGroupRuleCreate {
  security_group_id: string;
  direction: 'ingress' | 'egress';
  ethertype?: 'IPv4' | 'IPv6';
  protocol?: string | null;
  port_range_min?: number;
  port_range_max?: number;
  remote_ip_prefix?: string;
  remote_group_id?: string;
}

/** Rules can be created and deleted, not changed. */
export class SecurityGroupRules extends ExtensionCollection<
  SecurityGroupRuleRecord,
  SecurityGroupRuleCreate,
  never,
  NetworkFilters
> {
  constructor(network: ServiceClient) {
    super(
      network,
      'security-group',
      'security_group_rules',
      'security_group_rule',
      'securityGroupRules',
      ruleRecord,
    );
  }
}

export class SecurityGroups extends ExtensionCollection<
  SecurityGroupRecord,
  SecurityGroupCreate,
  Partial<Omit<SecurityGroupCreate, 'project_id'>>,
  NetworkFilters
> {
  constructor(network: ServiceClient) {
    super(
      network,
      'security-group',
      'security_groups',
      'security_group',
      'securityGroups',
      securityGroupRecord,
    );
  }
}
