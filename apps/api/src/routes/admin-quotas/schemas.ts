import { listOf, oneOf, part, shape, shapeLike } from '@gateway/core/shapes';
import type { NewQuotaLimits } from '@gateway/jobs';
import type { AdminQuotas } from '@gateway/resources';
import { loadBalancerQuotaShape, quotaValue } from '@gateway/resources/shapes';
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

const unavailable = listOf(oneOf(['loadBalancer', 'network', 'sharedFileSystem']), []).describe(
  'The services whose parts are null because they are unavailable, or refuse the read.',
);

export const quotasShape = shapeLike<AdminQuotas>('AdminQuotas', {
  compute: part({ instances: quotaValue(), cores: quotaValue(), ram: quotaValue().describe('MB.') }),
  volume: part({ volumes: quotaValue(), gigabytes: quotaValue() }),
  network: part({
    networks: quotaValue(),
    subnets: quotaValue(),
    ports: quotaValue(),
    routers: quotaValue(),
    floating_ips: quotaValue(),
    security_groups: quotaValue(),
    security_group_rules: quotaValue(),
  })
    .nullable()
    .describe('Null while the service is unavailable, as the following parts.'),
  file_storage: part({
    shares: quotaValue(),
    share_gigabytes: quotaValue(),
    share_snapshots: quotaValue(),
    share_snapshot_gigabytes: quotaValue(),
    share_networks: quotaValue(),
  })
    .nullable()
    .describe('Also null if the service is not enabled.'),
  load_balancer: loadBalancerQuotaShape.nullable(),
  unavailable,
});

export const quotasUpdatedShape = shape('QuotasUpdated', {
  status: oneOf(['updated']),
});

export const quotaParams = pathIds('project_id');
