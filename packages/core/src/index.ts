export * from './errors.ts';
export * from './ids.ts';
export * from './seal.ts';
export * from './text.ts';
export * from './time.ts';
