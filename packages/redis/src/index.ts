export type { Redis } from 'ioredis';
export * from './connections.ts';
