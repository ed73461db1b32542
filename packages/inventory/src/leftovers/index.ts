export * from './inspect-leftover.ts';
export * from './judge.ts';
export * from './leftover-sources.ts';
export * from './require-leftover.ts';
export * from './servers-read.ts';
