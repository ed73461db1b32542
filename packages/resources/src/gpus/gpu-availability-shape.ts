import { integer, listOf, nonEmptyText, part, type ShapeType, shape } from '@gateway/core/shapes';

/** Without GPUs the response is an empty object. */
export const gpuAvailabilityShape = shape(
  'GpuAvailability',
  {
    gpu_types: listOf(
      part({
        device_name: nonEmptyText('A100'),
        vendor: nonEmptyText('NVIDIA').nullable(),
        total: integer(8),
        used: integer(4),
        available: integer(4).describe('What the project may still use of it.'),
      }),
    )
      .describe('The type with the highest total first.')
      .optional(),
    summary: part({
      total_gpus: integer(8),
      used_gpus: integer(4),
      available_gpus: integer(4),
    }).optional(),
  },
  () => ({ gpu_types: [{}], summary: {} }),
);

/** Each total is the sum of what is used and what is available. */
export type GpuAvailability = Required<ShapeType<typeof gpuAvailabilityShape>>;
