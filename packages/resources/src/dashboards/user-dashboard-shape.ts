import { integer, listOf, part, type ShapeType, shape } from '@gateway/core/shapes';
import { fileStorageShape } from '../file-storages/file-storage-shape.ts';
import { instanceCounts } from '../instances/instance-counts-shape.ts';
import { instanceShape } from '../instances/instance-shape.ts';
import { unavailable } from '../lists/unavailable.ts';
import { volumeShape } from '../volumes/volume-shape.ts';

function storageTotals() {
  return part({ total: integer(5), total_gb: integer() }).nullable();
}

export const userDashboardShape = shape('UserDashboard', {
  instances: listOf(instanceShape).nullable(),
  volumes: listOf(volumeShape, []).nullable(),
  file_storages: listOf(fileStorageShape, []).nullable().describe('Empty if the service is not enabled.'),
  summary: part({
    instances: instanceCounts.nullable(),
    vcpus: integer(2).nullable().describe("Of the caller's instances."),
    ram: integer(2048).nullable().describe("MB, of the caller's instances."),
    volumes: storageTotals(),
    file_storages: storageTotals(),
    // The network service does not report the creator.
    networks: integer(1).nullable().describe("The project's own networks, whoever created them."),
    floating_ips: integer(1).nullable().describe("The project's floating IPs, whoever created them."),
  }),
  unavailable,
});

/** The resources that the caller created in the project. A part is null while its service is unavailable. */
export type UserDashboard = ShapeType<typeof userDashboardShape>;
