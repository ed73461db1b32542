import type { ProjectPaths } from '../only-project.ts';
import type { ServiceClient } from '../service.ts';
import { Agents } from './agents.ts';
import { Extensions } from './extensions.ts';
import { FloatingIps } from './floating-ips.ts';
import { Networks } from './networks.ts';
import { Ports } from './ports.ts';
import { NetworkQuotasClient } from './quotas.ts';
import { Routers } from './routers.ts';
import { SecurityGroupRules, SecurityGroups } from './security-groups.ts';
import { Subnets } from './subnets.ts';

export * from './agents.ts';
export * from './choose-external-network.ts';
export * from './description-of.ts';
export * from './floating-ip-target.ts';
export * from './floating-ips.ts';
export * from './gateways.ts';
export * from './is-visible-to.ts';
export * from './network-problem.ts';
export * from './networks.ts';
export * from './ports.ts';
export * from './quotas.ts';
export * from './routers.ts';
export * from './security-groups.ts';
export * from './subnets.ts';

export class NetworkClient {
  static readonly projectPaths: ProjectPaths = ['/ports/', '/floatingips/', '/security-groups/'];

  readonly networks: Networks;
  readonly subnets: Subnets;
  readonly ports: Ports;
  readonly routers: Routers;
  readonly floatingIps: FloatingIps;
  readonly securityGroups: SecurityGroups;
  readonly securityGroupRules: SecurityGroupRules;
  readonly quotas: NetworkQuotasClient;
  readonly agents: Agents;

  readonly extensions: Extensions;

  constructor(network: ServiceClient) {
    this.extensions = new Extensions(network);
    this.networks = new Networks(network);
    this.subnets = new Subnets(network);
    this.ports = new Ports(network);
    this.routers = new Routers(network);
    this.floatingIps = new FloatingIps(network);
    this.securityGroups = new SecurityGroups(network);
    this.securityGroupRules = new SecurityGroupRules(network);
    this.quotas = new NetworkQuotasClient(network);
    this.agents = new Agents(network);
  }
}
