import type { End } from './fault.ts';

/** What became of a job under a fault. Each list is empty when all is well. */
export interface Verdict {
  end: End | 'lost' | 'not reached';
  /** It never ended, or not as it had to. */
  lost: string[];
  /** What is there too much or too little. */
  leaked: string[];
  /** Creating calls that took effect more often than asked for. */
  duplicated: string[];
  /** Events that were missing, came twice or after the last one. */
  streamGaps: string[];
  /** Creating calls that took effect, of those that were made. */
  creates: string;
  durationMs: number;
  /** The system is not as it was before: what comes next would be judged by what this has left. */
  isSpoilt: boolean;
}

/** In which nothing is wrong yet. */
export function verdictOf(end: Verdict['end']): Verdict {
  return {
    end,
    lost: [],
    leaked: [],
    duplicated: [],
    streamGaps: [],
    creates: '',
    durationMs: 0,
    isSpoilt: false,
  };
}

/** What went wrong, a line each; none when all is well. */
export function flawsOf({ lost, leaked, duplicated, streamGaps }: Verdict): string[] {
  return [
    ...lost.map((flaw) => `lost: ${flaw}`),
    ...leaked.map((flaw) => `leaked: ${flaw}`),
    ...duplicated.map((flaw) => `duplicated: ${flaw}`),
    ...streamGaps.map((flaw) => `stream: ${flaw}`),
  ];
}
