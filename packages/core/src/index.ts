export * from './errors.ts';
export * from './format-json.ts';
export * from './ids.ts';
export * from './parse-json.ts';
export * from './sealer.ts';
export * from './slices.ts';
export * from './text.ts';
export * from './time.ts';
