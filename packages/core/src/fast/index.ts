export * from './batched-writes.ts';
