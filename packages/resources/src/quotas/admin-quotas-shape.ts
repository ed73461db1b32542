import { listOf, oneOf, part, type ShapeType, shape } from '@gateway/core/shapes';
import { loadBalancerQuotaShape } from './load-balancer-quota-shape.ts';
import { networkQuotas, quotaValue } from './quota-value.ts';

const unavailable = listOf(oneOf(['loadBalancer', 'network', 'sharedFileSystem']), []).describe(
  'The services whose parts are null because they are unavailable, or refuse the read.',
);

export const adminQuotasShape = shape('AdminQuotas', {
  compute: part({ instances: quotaValue(), cores: quotaValue(), ram: quotaValue().describe('MB.') }),
  volume: part({ volumes: quotaValue(), gigabytes: quotaValue() }),
  network: networkQuotas
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

/** The quotas of a project that administrators update. Memory in MB, sizes in GB. */
export type AdminQuotas = ShapeType<typeof adminQuotasShape>;
