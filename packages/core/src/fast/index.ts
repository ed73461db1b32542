export * from './batched-writes.ts';
export * from './format-json.ts';
export * from './garbage.ts';
export * from './parse-json.ts';
export * from './slices.ts';
