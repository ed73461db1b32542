import {
  date,
  id,
  integer,
  listOf,
  nonEmptyText,
  number,
  part,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';

export const usageShape = shape('Usage', {
  start: date('2026-11-01').describe('First day, in UTC.'),
  end: date('2026-11-30').describe('Last day, in UTC.'),
  total_hours: number(24.5),
  total_vcpus_usage: number(49).describe('Hours of one virtual processor.'),
  total_memory_mb_usage: number(50176).describe('Hours of one MB.'),
  total_local_gb_usage: number(490).describe('Hours of one GB.'),
  server_usages: listOf(
    part({
      instance_id: id('instance'),
      name: text('web-1'),
      state: nonEmptyText('active').describe('`terminated` for a deleted instance.'),
      vcpus: integer(2),
      memory_mb: integer(2048),
      local_gb: integer(20),
      hours: number(24.5).describe('In the period.'),
    }),
  ),
});

/** The usage of a project's servers in a period. */
export type Usage = ShapeType<typeof usageShape>;
