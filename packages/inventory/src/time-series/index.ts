export * from './time-series.ts';
export * from './time-series-store.ts';
