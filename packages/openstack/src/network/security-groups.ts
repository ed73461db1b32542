import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

export interface SecurityGroupRecord {
  id: string;
  name: string;
  project_id: string;
  description: string;
  /** Other projects may use the group. */
  shared?: boolean;
  stateful?: boolean;
  security_group_rules: SecurityGroupRuleRecord[];
  tags: string[];
  created_at: string;
  updated_at: string;
}

export interface SecurityGroupRuleRecord {
  id: string;
  project_id: string;
  security_group_id: string;
  direction: 'ingress' | 'egress';
  ethertype: string;
  protocol: string | null;
  port_range_min: number | null;
  port_range_max: number | null;
  remote_ip_prefix: string | null;
  remote_group_id: string | null;
  /** A list of networks that administrators keep. Absent in clouds without the extension. */
  remote_address_group_id?: string | null;
}

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
export class SecurityGroupRules extends Collection<
  SecurityGroupRuleRecord,
  SecurityGroupRuleCreate,
  never,
  NetworkFilters
> {
  constructor(network: ServiceClient) {
    super(network, 'security_group_rules', 'security_group_rule', 'securityGroupRules');
  }
}

export class SecurityGroups extends Collection<
  SecurityGroupRecord,
  SecurityGroupCreate,
  Partial<Omit<SecurityGroupCreate, 'project_id'>>,
  NetworkFilters
> {
  constructor(network: ServiceClient) {
    super(network, 'security_groups', 'security_group', 'securityGroups');
  }
}
