import {
  type HealthMonitor,
  type Listener,
  type LoadBalancer,
  loadBalancerActions,
  type Pool,
  type PoolMember,
} from '@gateway/resources';
import Joi from 'joi';
import { allowedActionsField, managedByField } from '../../http/schemas/actions.ts';
import { listOf, nullableText, shape, text, timestamp } from '../../http/schemas/fields.ts';

const statuses = {
  status: Joi.string().description(
    'Provisioning status: `ACTIVE`, `ERROR`, `PENDING_CREATE`, `PENDING_UPDATE` or `PENDING_DELETE`.',
  ),
  operating_status: Joi.string().description('`ONLINE`, `OFFLINE`, `DEGRADED`, `ERROR`, `NO_MONITOR`, …'),
};

export const loadBalancerShape = shape<LoadBalancer>(
  'LoadBalancer',
  {
    id: Joi.string(),
    name: text(),
    description: text(),
    ...statuses,
    vip_address: text(),
    vip_subnet_id: nullableText(),
    vip_subnet_name: nullableText(),
    vip_network_id: nullableText(),
    vip_network_name: nullableText(),
    vip_port_id: nullableText(),
    project_id: text(),
    project_name: nullableText(),
    created_at: timestamp().allow(null),
    managed_by: managedByField(),
    allowed_actions: allowedActionsField(loadBalancerActions),
  },
  () => ({ status: 'ACTIVE' }),
);

export const listenerShape = shape<Listener>(
  'Listener',
  {
    id: Joi.string(),
    name: text(),
    protocol: text(),
    protocol_port: Joi.number().integer(),
    ...statuses,
    default_pool_id: nullableText(),
    default_pool_name: nullableText(),
    default_tls_container_ref: nullableText().description('The certificate of `TERMINATED_HTTPS`.'),
    allowed_cidrs: listOf(Joi.string())
      .allow(null)
      .description('The only networks that may connect; null for all, empty if the service sends no list.'),
    load_balancer_id: Joi.string(),
    load_balancer_name: text(),
  },
  () => ({ status: 'ACTIVE', protocol: 'HTTP' }),
);

export const poolShape = shape<Pool>(
  'Pool',
  {
    id: Joi.string(),
    name: text(),
    protocol: text(),
    lb_algorithm: text(),
    ...statuses,
    health_monitor_id: nullableText(),
    load_balancer_id: Joi.string(),
    load_balancer_name: text(),
  },
  () => ({ status: 'ACTIVE', protocol: 'HTTP' }),
);

export const poolMemberShape = shape<PoolMember>(
  'PoolMember',
  {
    id: Joi.string(),
    name: text(),
    address: text(),
    protocol_port: Joi.number().integer(),
    weight: Joi.number().integer(),
    ...statuses,
    subnet_id: nullableText(),
    subnet_name: nullableText(),
  },
  () => ({ status: 'ACTIVE', subnet_id: null }),
);

export const healthMonitorShape = shape<HealthMonitor>(
  'HealthMonitor',
  {
    id: Joi.string(),
    name: text(),
    type: text(),
    delay: Joi.number().integer().description('Seconds.'),
    timeout: Joi.number().integer().description('Seconds.'),
    max_retries: Joi.number().integer(),
    status: statuses.status,
  },
  () => ({ status: 'ACTIVE', type: 'HTTP' }),
);
