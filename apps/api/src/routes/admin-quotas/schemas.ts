import type { NewQuotaLimits } from '@gateway/jobs';
import Joi from 'joi';
import { pathIds } from '../../http/schemas/fields.ts';

/** What the services accept. */
const MAX_LIMIT = 2_147_483_647;
const MAX_LOAD_BALANCER_LIMIT = 2_000_000_000;

const limitField = (max = MAX_LIMIT) => Joi.number().integer().min(-1).max(max);

export const quotasBody = Joi.object<NewQuotaLimits, true>({
  instances: limitField(),
  cores: limitField(),
  ram: limitField().description('MB.'),
  volumes: limitField(),
  gigabytes: limitField(),
  networks: limitField(),
  subnets: limitField(),
  ports: limitField(),
  routers: limitField(),
  floating_ips: limitField(),
  security_groups: limitField(),
  security_group_rules: limitField(),
  shares: limitField(),
  share_gigabytes: limitField(),
  share_snapshots: limitField(),
  share_snapshot_gigabytes: limitField(),
  share_networks: limitField(),
  load_balancers: limitField(MAX_LOAD_BALANCER_LIMIT),
  listeners: limitField(MAX_LOAD_BALANCER_LIMIT),
  pools: limitField(MAX_LOAD_BALANCER_LIMIT),
  members: limitField(MAX_LOAD_BALANCER_LIMIT),
  health_monitors: limitField(MAX_LOAD_BALANCER_LIMIT),
})
  .required()
  .description('-1 is unlimited. What is absent stays as it is.');

export const quotaParams = pathIds('project_id');
