/** The fields of a snapshot, in the order of their stored values. Append new fields. */
export const TIME_SERIES_FIELDS = {
  instances: ['total', 'active', 'shutoff', 'error', 'other'],
  volumes: ['total', 'available', 'in_use', 'error', 'other', 'total_gb'],
  file_storage: ['total', 'total_gb'],
  networks: ['networks', 'routers', 'floating_ips_total', 'floating_ips_used'],
} as const;

export type TimeSeriesType = keyof typeof TIME_SERIES_FIELDS;

export type TimeSeriesPoint<T extends TimeSeriesType = TimeSeriesType> = {
  [Type in T]: Record<(typeof TIME_SERIES_FIELDS)[Type][number], number>;
}[T];

export const TIME_SERIES_TYPES = Object.keys(TIME_SERIES_FIELDS) as TimeSeriesType[];
