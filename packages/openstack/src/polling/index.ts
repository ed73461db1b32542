export * from './expected-durations.ts';
export * from './intervals.ts';
export * from './polls.ts';
export * from './wait.ts';
