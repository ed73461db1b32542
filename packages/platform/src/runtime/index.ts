export * from './closers.ts';
export * from './http-server.ts';
export * from './run.ts';
export * from './web-server.ts';
