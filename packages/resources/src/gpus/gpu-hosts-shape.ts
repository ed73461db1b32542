import {
  flag,
  integer,
  listOf,
  nonEmptyText,
  number,
  part,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';

const gpuShape = shape('Gpu', {
  provider_name: text('compute-1_0000:3b:00.0'),
  provider_uuid: nonEmptyText('c5d1a6f0-2b7e-4f7e-8f7c-3f2c1f8f0a42'),
  pci_address: nonEmptyText('0000:3b:00.0').describe(
    'The address in the name of the provider, or what follows the host in it; `host-level` if the host itself provides the GPUs.',
  ),
  resource_class: nonEmptyText('PGPU'),
  vendor_id: text('10de').nullable().describe('Hexadecimal; null for a GPU that is not a PCI device.'),
  vendor_name: text('NVIDIA').nullable(),
  device_id: text('20b5').nullable().describe('Hexadecimal; null for a GPU that is not a PCI device.'),
  device_name: text('A100'),
  total: integer(),
  used: integer(),
  allocation_ratio: number(),
  reserved: integer(0),
});

/** The GPUs of one resource class at one resource provider. */
export type Gpu = ShapeType<typeof gpuShape>;

export const gpuHostsShape = shape('GpuHosts', {
  hosts: listOf(
    part({
      name: text('compute-1'),
      uuid: nonEmptyText('0b0f2a1e-5f0e-4d57-9d2f-6a1d9f0c3b11'),
      takes_instances: flag().describe(
        'Whether the host is enabled and up. The unused GPUs of another host are not available.',
      ),
      gpus: listOf(gpuShape),
      gpu_total: integer(),
      gpu_used: integer(),
    }),
  ).describe('The hosts with GPUs, by name.'),
  aggregated_hosts: listOf(
    part({
      name: text('compute-1'),
      gpus: listOf(gpuShape),
      gpu_groups: listOf(
        part({
          device_name: text('A100'),
          vendor_name: text('NVIDIA').nullable(),
          total: integer(),
          used: integer(),
        }),
      ),
      gpu_total: integer(),
      gpu_used: integer(),
    }),
  ).describe('By the name of the host without the address of a PCI device.'),
  summary: part({
    total_hosts: integer().describe('Physical hosts with GPUs.'),
    total_gpus: integer(),
    used_gpus: integer(),
    available_gpus: integer(0),
  }),
  gpu_types: listOf(
    part({ device_name: text('A100'), vendor: text('NVIDIA').nullable(), total: integer(), used: integer() }),
  ).describe('The type with the highest total first.'),
});

export type GpuHosts = ShapeType<typeof gpuHostsShape>;
