import type { Gpu, GpuAlias, GpuHosts, GpuTypeTotals } from '@gateway/resources';
import Joi from 'joi';
import { listOf, nullableText, part, shape, text } from '../../http/schemas/fields.ts';

function count() {
  return Joi.number().integer();
}

const gpuShape = shape<Gpu>(
  'Gpu',
  {
    provider_name: text(),
    provider_uuid: Joi.string(),
    pci_address: Joi.string().description(
      'The address in the name of the provider, or what follows the host in it; `host-level` if the host itself provides the GPUs.',
    ),
    resource_class: Joi.string(),
    vendor_id: nullableText().description('Hexadecimal; null for a GPU that is not a PCI device.'),
    vendor_name: nullableText(),
    device_id: nullableText().description('Hexadecimal; null for a GPU that is not a PCI device.'),
    device_name: text(),
    total: count(),
    used: count(),
    allocation_ratio: Joi.number(),
    reserved: count(),
  },
  () => ({
    vendor_id: '10de',
    device_id: '20b5',
    device_name: 'A100',
    resource_class: 'PGPU',
    provider_name: 'compute-1_0000:3b:00.0',
    total: 1,
    used: 1,
    allocation_ratio: 1,
  }),
);

export const gpuHostsShape = shape<GpuHosts>(
  'GpuHosts',
  {
    hosts: listOf(
      part<GpuHosts['hosts'][number]>({
        name: text(),
        uuid: Joi.string(),
        takes_instances: Joi.boolean().description(
          'Whether the host is enabled and up. The unused GPUs of another host are not available.',
        ),
        gpus: listOf(gpuShape),
        gpu_total: count(),
        gpu_used: count(),
      }),
    ).description('The hosts with GPUs, by name.'),
    aggregated_hosts: listOf(
      part<GpuHosts['aggregated_hosts'][number]>({
        name: text(),
        gpus: listOf(gpuShape),
        gpu_groups: listOf(
          part({ device_name: text(), vendor_name: nullableText(), total: count(), used: count() }),
        ),
        gpu_total: count(),
        gpu_used: count(),
      }),
    ).description('By the name of the host without the address of a PCI device.'),
    summary: part({
      total_hosts: count().description('Physical hosts with GPUs.'),
      total_gpus: count(),
      used_gpus: count(),
      available_gpus: count(),
    }),
    gpu_types: listOf(
      part<GpuTypeTotals>({ device_name: text(), vendor: nullableText(), total: count(), used: count() }),
    ).description('The type with the highest total first.'),
  },
  () => ({
    aggregated_hosts: [{ name: 'compute-1', gpu_groups: [{ device_name: 'A100', total: 1, used: 1 }] }],
    summary: { total_hosts: 1, total_gpus: 1, used_gpus: 1, available_gpus: 0 },
    gpu_types: [{ device_name: 'A100', total: 1, used: 1 }],
  }),
);

export const gpuAliasShape = shape<GpuAlias>(
  'GpuAlias',
  {
    alias: Joi.string(),
    device_name: text().description('The alias itself if it names no known device.'),
    vendor_id: nullableText().description('Hexadecimal; null if it is not known.'),
    device_id: nullableText().description(
      'Null if it is not known, or not the same for all devices of the name.',
    ),
  },
  () => ({ device_name: 'A100', device_id: '20b5' }),
);
