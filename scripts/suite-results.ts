/** What a process that runs test files sends for the files of one message. */
export interface SuiteResults {
  passed: number;
  pending: number;
  /** A line for each: the full title and the message of the error. */
  failures: string[];
}

/** Ends the output of the files of one message. */
export const END_OF_OUTPUT = 0;

export function noResults(): SuiteResults {
  return { passed: 0, pending: 0, failures: [] };
}

/** The results of a run that failed outside of a test. */
export function failure(text: string): SuiteResults {
  return { ...noResults(), failures: [text] };
}
