import { integer, part, type ShapeType } from '@gateway/core/shapes';

/** A limit, and what counts against it. */
export function quotaValue() {
  return part({
    limit: integer(20).describe('-1 for no limit.'),
    in_use: integer(3),
  });
}

export type QuotaValue = ShapeType<ReturnType<typeof quotaValue>>;

/** The quotas of the network service. */
export const networkQuotas = part({
  networks: quotaValue(),
  subnets: quotaValue(),
  ports: quotaValue(),
  routers: quotaValue(),
  floating_ips: quotaValue(),
  security_groups: quotaValue(),
  security_group_rules: quotaValue(),
});
