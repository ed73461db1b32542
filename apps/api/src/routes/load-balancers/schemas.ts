import type { HealthMonitor, Listener, LoadBalancer, Pool, PoolMember } from '@gateway/views';
import Joi from 'joi';
import {
  descriptionField,
  idField,
  nameField,
  nullableText,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';

/** A value that the service defines, such as a protocol. The service refuses unsupported values with 400. */
function serviceWord() {
  return Joi.string()
    .max(64)
    .pattern(/^[A-Z][A-Z0-9_-]*$/)
    .messages({ 'string.pattern.base': 'must be a word in capital letters' });
}

function portField() {
  return Joi.number().integer().min(1).max(65_535);
}

export interface CreateLoadBalancerBody {
  name: string;
  vip_subnet_id: string;
  description?: string;
}

export const createLoadBalancerBody = Joi.object<CreateLoadBalancerBody, true>({
  name: nameField().required(),
  vip_subnet_id: idField().required().description('The subnet of the address at which the balancer listens.'),
  description: descriptionField(),
})
  .required()
  .meta({ name: 'CreateLoadBalancer' });

export interface CreateListenerBody {
  protocol: string;
  protocol_port: number;
  name?: string;
  default_pool_id?: string;
}

export const createListenerBody = Joi.object<CreateListenerBody, true>({
  protocol: serviceWord().required().description('`HTTP`, `HTTPS`, `TCP`, `UDP` and others.'),
  protocol_port: portField().required(),
  name: nameField(),
  default_pool_id: idField().description('A pool of the same load balancer.'),
})
  .required()
  .meta({ name: 'CreateListener', example: () => ({ name: 'http', protocol: 'HTTP' }) });

export interface CreatePoolBody {
  protocol: string;
  lb_algorithm: string;
  name?: string;
  listener_id?: string;
}

export const createPoolBody = Joi.object<CreatePoolBody, true>({
  protocol: serviceWord().required().description('`HTTP`, `HTTPS`, `TCP`, `UDP` and others.'),
  lb_algorithm: serviceWord()
    .required()
    .description('`ROUND_ROBIN`, `LEAST_CONNECTIONS`, `SOURCE_IP` and others.'),
  name: nameField(),
  listener_id: idField().description('The listener whose default pool it becomes; by default none.'),
})
  .required()
  .meta({ name: 'CreatePool', example: () => ({ name: 'web', protocol: 'HTTP' }) });

export interface AddMemberBody {
  address: string;
  protocol_port: number;
  subnet_id?: string;
  name?: string;
  weight: number;
}

const MAX_WEIGHT = 256;

export const addMemberBody = Joi.object<AddMemberBody, true>({
  address: Joi.string()
    .ip({ version: ['ipv4', 'ipv6'], cidr: 'forbidden' })
    .required()
    .messages({ 'string.ipVersion': 'must be an IP address' }),
  protocol_port: portField().required(),
  subnet_id: idField().description('The subnet from which the address is reached.'),
  name: nameField(),
  weight: Joi.number().integer().min(0).max(MAX_WEIGHT).default(1),
})
  .required()
  .meta({ name: 'AddPoolMember' });

export interface CreateHealthMonitorBody {
  type: string;
  delay: number;
  timeout: number;
  max_retries: number;
  name?: string;
}

const MAX_MONITOR_SECONDS = 2 ** 31 - 1;

export const createHealthMonitorBody = Joi.object<CreateHealthMonitorBody, true>({
  type: serviceWord().required().description('`HTTP`, `HTTPS`, `TCP`, `PING` and others.'),
  delay: Joi.number()
    .integer()
    .min(1)
    .max(MAX_MONITOR_SECONDS)
    .required()
    .description('Seconds between checks.'),
  timeout: Joi.number().integer().min(1).max(MAX_MONITOR_SECONDS).required().description('Seconds.'),
  max_retries: Joi.number().integer().min(1).max(10).required(),
  name: nameField(),
})
  .required()
  .meta({ name: 'CreateHealthMonitor', example: () => ({ type: 'HTTP' }) });

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
    vip_network_id: nullableText(),
    vip_port_id: nullableText(),
    project_id: Joi.string(),
    created_at: timestamp().allow(null),
  },
  () => ({ status: 'ACTIVE' }),
);

export const listenerShape = shape<Listener>(
  'Listener',
  {
    id: Joi.string(),
    name: text(),
    protocol: Joi.string(),
    protocol_port: Joi.number().integer(),
    ...statuses,
    default_pool_id: nullableText(),
    load_balancer_id: Joi.string(),
  },
  () => ({ status: 'ACTIVE', protocol: 'HTTP' }),
);

export const poolShape = shape<Pool>(
  'Pool',
  {
    id: Joi.string(),
    name: text(),
    protocol: Joi.string(),
    lb_algorithm: Joi.string(),
    ...statuses,
    health_monitor_id: nullableText(),
    load_balancer_id: Joi.string(),
  },
  () => ({ status: 'ACTIVE', protocol: 'HTTP' }),
);

export const poolMemberShape = shape<PoolMember>(
  'PoolMember',
  {
    id: Joi.string(),
    name: text(),
    address: Joi.string(),
    protocol_port: Joi.number().integer(),
    weight: Joi.number().integer(),
    ...statuses,
    subnet_id: nullableText(),
  },
  () => ({ status: 'ACTIVE', subnet_id: null }),
);

export const healthMonitorShape = shape<HealthMonitor>(
  'HealthMonitor',
  {
    id: Joi.string(),
    name: text(),
    type: Joi.string(),
    delay: Joi.number().integer().description('Seconds.'),
    timeout: Joi.number().integer().description('Seconds.'),
    max_retries: Joi.number().integer(),
    status: statuses.status,
  },
  () => ({ status: 'ACTIVE', type: 'HTTP' }),
);
