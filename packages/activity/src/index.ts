export * from './activity.ts';
export * from './activity-readers.ts';
export * from './effect.ts';
export { reportedChanges } from './readers/listeners.ts';
export { sharedReaders } from './shared-readers.ts';
