import { integer, kindsBy, listOf, oneOf, type ShapeType, shape, timestamp } from '@gateway/core/shapes';
import { TIME_SERIES_FIELDS, type TimeSeriesType } from '@gateway/inventory';

/** The counts of one hour. They say whose they are, as the parameter of the path does. */
function hour<Type extends TimeSeriesType>(name: string, type: Type) {
  const fields: readonly (typeof TIME_SERIES_FIELDS)[Type][number][] = TIME_SERIES_FIELDS[type];
  const counts = Object.fromEntries(fields.map((field) => [field, integer()]));
  return shape(name, {
    resource_type: oneOf([type]),
    timestamp: timestamp('2026-11-22T09:00:00Z'),
    ...(counts as Record<(typeof fields)[number], ReturnType<typeof integer>>),
  });
}

export const timeSeriesShape = listOf(
  kindsBy('resource_type', [
    hour('InstanceHour', 'instances'),
    hour('VolumeHour', 'volumes'),
    hour('FileStorageHour', 'file_storage'),
    hour('NetworkHour', 'networks'),
  ]),
);

export type HourlyCounts = ShapeType<typeof timeSeriesShape>[number];
