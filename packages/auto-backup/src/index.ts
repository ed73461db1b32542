export * from './auto-backup.ts';
export * from './auto-backups.ts';
export * from './due-entries.ts';
export * from './runs.ts';
export * from './schedule.ts';
export * from './spread.ts';
export * from './standing-delegations.ts';
export * from './store.ts';
