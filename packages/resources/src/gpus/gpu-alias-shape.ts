import { nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';

export const gpuAliasShape = shape('GpuAlias', {
  alias: nonEmptyText('a100'),
  device_name: text('A100').describe('The alias itself if it names no known device.'),
  vendor_id: text('10de').nullable().describe('Hexadecimal; null if it is not known.'),
  device_id: text('20b5')
    .nullable()
    .describe('Null if it is not known, or not the same for all devices of the name.'),
});

export type GpuAlias = ShapeType<typeof gpuAliasShape>;
