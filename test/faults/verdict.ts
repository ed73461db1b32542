import type { End } from './fault.ts';

/** The result of a job under a fault. All lists are empty when the case passes. */
export interface Verdict {
  end: End | 'lost' | 'not reached';
  /** The job did not end, or had an unexpected result. */
  lost: string[];
  /** Resources that are left over or missing. */
  leaked: string[];
  /** Create calls that took effect more often than requested. */
  duplicated: string[];
  /** Events that were missing, repeated, or after the final event. */
  streamGaps: string[];
  /** The number of effective create calls, by operation. */
  creates: string;
  durationMs: number;
  /** The system is not in its initial state, so that the next case needs a new system. */
  isContaminated: boolean;
}

/** A verdict without problems. */
export function verdictOf(end: Verdict['end']): Verdict {
  return {
    end,
    lost: [],
    leaked: [],
    duplicated: [],
    streamGaps: [],
    creates: '',
    durationMs: 0,
    isContaminated: false,
  };
}

/** The verdict of a case that ended with an error: the state of its system is unknown. */
export function verdictOfError(error: unknown): Verdict {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { ...verdictOf('lost'), lost: [text], isContaminated: true };
}

/** The problems of a verdict, one line each. */
export function problemsOf({ lost, leaked, duplicated, streamGaps }: Verdict): string[] {
  return [
    ...lost.map((flaw) => `lost: ${flaw}`),
    ...leaked.map((flaw) => `leaked: ${flaw}`),
    ...duplicated.map((flaw) => `duplicated: ${flaw}`),
    ...streamGaps.map((flaw) => `stream: ${flaw}`),
  ];
}
