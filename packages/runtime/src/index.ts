export * from './closers.ts';
export * from './collect-garbage.ts';
export * from './http-server.ts';
export * from './run.ts';
