import Joi from 'joi';
import { idField, nameField } from '../../http/schemas/fields.ts';
import { addressField } from '../../http/schemas/network-addresses.ts';
import { portField, serviceWord } from './fields.ts';

function algorithmField() {
  return serviceWord().description('`ROUND_ROBIN`, `LEAST_CONNECTIONS`, `SOURCE_IP` and others.');
}

export interface UpdatePoolBody {
  name?: string;
  lb_algorithm?: string;
}

export const updatePoolBody = Joi.object<UpdatePoolBody, true>({
  name: nameField(),
  lb_algorithm: algorithmField(),
})
  .required()
  .meta({ name: 'UpdatePool', example: () => ({ lb_algorithm: 'LEAST_CONNECTIONS' }) });

export interface CreatePoolBody {
  protocol: string;
  lb_algorithm: string;
  name?: string;
  listener_id?: string;
}

export const createPoolBody = Joi.object<CreatePoolBody, true>({
  protocol: serviceWord().required().description('`HTTP`, `HTTPS`, `TCP`, `UDP` and others.'),
  lb_algorithm: algorithmField().required(),
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

/** What the service accepts. */
const MAX_WEIGHT = 256;

function weightField() {
  return Joi.number()
    .integer()
    .min(0)
    .max(MAX_WEIGHT)
    .description('The share of the requests. With 0 the member gets no new ones.');
}

export const addMemberBody = Joi.object<AddMemberBody, true>({
  address: addressField().required(),
  protocol_port: portField().required(),
  subnet_id: idField().description('The subnet from which the address is reached.'),
  name: nameField(),
  weight: weightField().default(1),
})
  .required()
  .meta({ name: 'AddPoolMember' });

export interface UpdateMemberBody {
  name?: string;
  weight?: number;
}

export const updateMemberBody = Joi.object<UpdateMemberBody, true>({
  name: nameField(),
  weight: weightField(),
})
  .required()
  .meta({ name: 'UpdatePoolMember', example: () => ({ weight: 10 }) });

export interface CreateHealthMonitorBody {
  type: string;
  delay: number;
  timeout: number;
  max_retries: number;
  name?: string;
}

/** What the service stores. It takes 0 as well, with which no balancer can check anything. */
const MONITOR_SECONDS = { min: 1, max: 2 ** 31 - 1 };

function secondsField() {
  return Joi.number().integer().min(MONITOR_SECONDS.min).max(MONITOR_SECONDS.max);
}

/** What the service accepts. */
const MAX_RETRIES = 10;

const checks = {
  delay: secondsField().description('Seconds between checks.'),
  timeout: secondsField().description('Seconds.'),
  max_retries: Joi.number().integer().min(1).max(MAX_RETRIES),
  name: nameField(),
};

export type UpdateHealthMonitorBody = Partial<Omit<CreateHealthMonitorBody, 'type'>>;

export const updateHealthMonitorBody = Joi.object<UpdateHealthMonitorBody, true>(checks)
  .required()
  .meta({ name: 'UpdateHealthMonitor', example: () => ({ delay: 10 }) });

export const createHealthMonitorBody = Joi.object<CreateHealthMonitorBody, true>({
  type: serviceWord().required().description('`HTTP`, `HTTPS`, `TCP`, `PING` and others.'),
  delay: checks.delay.required(),
  timeout: checks.timeout.required(),
  max_retries: checks.max_retries.required(),
  name: checks.name,
})
  .required()
  .meta({ name: 'CreateHealthMonitor', example: () => ({ type: 'HTTP' }) });
