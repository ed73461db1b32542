import { integer, part, type ShapeType, shape } from '@gateway/core/shapes';
import { instanceCounts } from '../instances/instance-counts-shape.ts';
import { unavailable } from '../lists/unavailable.ts';
import { quotaValue } from '../quotas/quota-value.ts';

export const dashboardSummaryShape = shape('DashboardSummary', {
  instances: instanceCounts.nullable(),
  compute: part({
    instances: quotaValue(),
    cores: quotaValue(),
    ram: quotaValue(),
  }).nullable(),
  storage: part({ volumes: quotaValue(), gigabytes: quotaValue() }).nullable(),
  gpu_used: integer(1).nullable().describe("The GPUs that the project's instances hold."),
  unavailable,
});

/** A part is null while its service is unavailable. */
export type DashboardSummary = ShapeType<typeof dashboardSummaryShape>;
