import type { ProjectPaths } from '../only-project.ts';
import type { ServiceClient } from '../service.ts';
import { HealthMonitors } from './health-monitors.ts';
import { Listeners } from './listeners.ts';
import { LoadBalancers } from './load-balancers.ts';
import { Members } from './members.ts';
import { Pools } from './pools.ts';
import { LoadBalancerQuotas } from './quotas.ts';

export * from './health-monitors.ts';
export * from './is-load-balancer-busy.ts';
export * from './listeners.ts';
export * from './load-balancers.ts';
export * from './members.ts';
export * from './pools.ts';
export * from './quotas.ts';

export class LoadBalancerClient {
  static readonly projectPaths: ProjectPaths = ['/lbaas/loadbalancers/'];

  readonly loadBalancers: LoadBalancers;
  readonly listeners: Listeners;
  readonly pools: Pools;
  readonly members: Members;
  readonly healthMonitors: HealthMonitors;
  readonly quotas: LoadBalancerQuotas;

  constructor(service: ServiceClient) {
    this.loadBalancers = new LoadBalancers(service);
    this.listeners = new Listeners(service);
    this.pools = new Pools(service);
    this.members = new Members(service);
    this.healthMonitors = new HealthMonitors(service);
    this.quotas = new LoadBalancerQuotas(service);
  }
}
