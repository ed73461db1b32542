import {
  id,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import {
  type HealthMonitor,
  type Listener,
  type LoadBalancer,
  loadBalancerActions,
  type Pool,
  type PoolMember,
} from '@gateway/resources';
import { allowedActionsField, managedByField } from '@gateway/resources/shapes';

const statuses = {
  status: nonEmptyText('ACTIVE').describe(
    'Provisioning status: `ACTIVE`, `ERROR`, `PENDING_CREATE`, `PENDING_UPDATE` or `PENDING_DELETE`.',
  ),
  operating_status: nonEmptyText('ONLINE').describe(
    '`ONLINE`, `OFFLINE`, `DEGRADED`, `ERROR`, `NO_MONITOR`, …',
  ),
};

export const loadBalancerShape = shapeLike<LoadBalancer>('LoadBalancer', {
  id: id('load_balancer'),
  name: text('front'),
  description: text(''),
  ...statuses,
  vip_address: text('10.0.0.100'),
  vip_subnet_id: idOrEmpty('vip_subnet').nullable(),
  vip_subnet_name: text('inside').nullable(),
  vip_network_id: idOrEmpty('vip_network').nullable(),
  vip_network_name: text('inside').nullable(),
  vip_port_id: idOrEmpty('vip_port').nullable(),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  created_at: timestamp().nullable(),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField(loadBalancerActions),
});

export const listenerShape = shapeLike<Listener>('Listener', {
  id: id('listener'),
  name: text('http'),
  protocol: text('HTTP'),
  protocol_port: integer(80),
  ...statuses,
  default_pool_id: idOrEmpty('default_pool').nullable(),
  default_pool_name: text('web').nullable(),
  default_tls_container_ref: text().nullable().describe('The certificate of `TERMINATED_HTTPS`.'),
  allowed_cidrs: listOf(nonEmptyText('10.0.0.0/24'))
    .nullable()
    .describe('The only networks that may connect; null for all, empty if the service sends no list.'),
  load_balancer_id: id('load_balancer'),
  load_balancer_name: text('web'),
});

export const poolShape = shapeLike<Pool>('Pool', {
  id: id('pool'),
  name: text('web'),
  protocol: text('HTTP'),
  lb_algorithm: text('ROUND_ROBIN'),
  ...statuses,
  health_monitor_id: idOrEmpty('health_monitor').nullable(),
  load_balancer_id: id('load_balancer'),
  load_balancer_name: text('web'),
});

export const poolMemberShape = shapeLike<PoolMember>('PoolMember', {
  id: id('pool_member'),
  name: text('web-1'),
  address: text('10.0.0.11'),
  protocol_port: integer(80),
  weight: integer(),
  ...statuses,
  subnet_id: text().nullable(),
  subnet_name: text('inside').nullable(),
});

export const healthMonitorShape = shapeLike<HealthMonitor>('HealthMonitor', {
  id: id('health_monitor'),
  name: text('http-check'),
  type: text('HTTP'),
  delay: integer(5).describe('Seconds.'),
  timeout: integer(3).describe('Seconds.'),
  max_retries: integer(2),
  status: statuses.status,
});
