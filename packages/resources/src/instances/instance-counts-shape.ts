import { integer, part, type ShapeType } from '@gateway/core/shapes';

const counts = {
  total: integer(5),
  active: integer(3),
  shutoff: integer(),
  error: integer(),
};

export const instanceCounts = part(counts);

export type InstanceCounts = ShapeType<typeof instanceCounts>;

export const instanceStats = part({ ...counts, other: integer(0) });

export type InstanceStats = ShapeType<typeof instanceStats>;
