export * from './journal.ts';
export * from './require-state.ts';
export * from './run-saga.ts';
export * from './saga.ts';
export * from './step.ts';
export * from './sweep-saga.ts';
