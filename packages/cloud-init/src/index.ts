export * from './encode.ts';
export * from './first-boot.ts';
export * from './password.ts';
export * from './plan.ts';
export * from './size-check.ts';
