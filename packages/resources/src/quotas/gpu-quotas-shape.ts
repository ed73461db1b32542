import { enumOf, integer, mapOf, part, type ShapeType } from '@gateway/core/shapes';

/** The gateway's own quotas of GPUs, because the cloud has none. */
export const gpuQuotasShape = mapOf(
  part({
    limit: integer(20).describe('-1 for no limit.'),
    in_use: integer(3).describe('GPUs of instances, also of stopped ones, and of creations under way.'),
    available: integer(4).describe('-1 for no limit.'),
    source: enumOf('QuotaSource', ['project', 'default']),
  }),
  { A100: { limit: 8, in_use: 4, available: 4, source: 'project' } },
).describe('By GPU type. A type without an entry has no limit.');

export type GpuQuotas = ShapeType<typeof gpuQuotasShape>;
