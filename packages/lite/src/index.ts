export * from './plugin-keys.ts';
