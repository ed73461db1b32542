import type { FirstBootReport } from './state.ts';

/** The line that the guest's scripts write to the console at the end of each boot. */
const RESULT_LINE = /gateway first boot: (?:ready|FAILED at stage ([a-z_]{1,32}):)/g;

/**
 * The result of the latest boot in a console log; null without one. Any program of the machine can write it.
 */
export function consoleResultIn(log: string): Pick<FirstBootReport, 'stage' | 'result'> | null {
  const last = [...log.matchAll(RESULT_LINE)].at(-1);
  if (last === undefined) return null;
  const [, stage] = last;
  return stage === undefined ? { result: 'ready', stage: 'done' } : { result: 'failed', stage };
}
