export { atMost } from './at-most.ts';
export * from './errors.ts';
export * from './fast/index.ts';
export * from './ids.ts';
export * from './report-secret.ts';
export * from './sealer.ts';
export * from './stored-forms.ts';
export * from './text.ts';
export * from './time.ts';
