import { integer, listOf, nonEmptyText, part, shapeLike } from '@gateway/core/shapes';
import type { GpuAvailability, UserDashboard } from '@gateway/resources';
import {
  fileStorageShape,
  instanceCounts,
  instanceShape,
  unavailable,
  volumeShape,
} from '@gateway/resources/shapes';

function storageTotals() {
  return part({ total: integer(5), total_gb: integer() }).nullable();
}

export const userDashboardShape = shapeLike<UserDashboard>('UserDashboard', {
  instances: listOf(instanceShape).nullable(),
  volumes: listOf(volumeShape, []).nullable(),
  file_storages: listOf(fileStorageShape, []).nullable().describe('Empty if the service is not enabled.'),
  summary: part({
    instances: instanceCounts.nullable(),
    vcpus: integer(2).nullable().describe("Of the caller's instances."),
    ram: integer(2048).nullable().describe("MB, of the caller's instances."),
    volumes: storageTotals(),
    file_storages: storageTotals(),
    networks: integer(1).nullable().describe("The project's own networks, whoever created them."),
    floating_ips: integer(1).nullable().describe("The project's floating IPs, whoever created them."),
  }),
  unavailable,
});

export const gpuAvailabilityShape = shapeLike<Partial<GpuAvailability>>(
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
