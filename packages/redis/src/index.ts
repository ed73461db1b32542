export { Redis } from 'ioredis';
export * from './away.ts';
export * from './connections.ts';
