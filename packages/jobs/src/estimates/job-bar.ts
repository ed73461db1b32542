import { toTimestamp } from '@gateway/core';
import type { Estimate } from '../catalog/progress-message.ts';
import type { UsualDurations } from './usual-durations.ts';

/**
 * How far a running job is, as a bar of 100 percent. Its record keeps it, so that another run continues it.
 */
export interface JobBar {
  /** The step of the last message. */
  step: string;
  /** When that step began, in milliseconds since the epoch, by the clock of the worker. */
  since: number;
  /** In percent: where the bar was at the beginning of the step, and where it is at its usual end. */
  from: number;
  to: number;
  /** How long the step and what follows it usually take; null if no job is known that has completed it. */
  usual: { stepMs: number; afterMs: number } | null;
  /** The earlier steps in their order, and how long each has taken, in milliseconds. */
  earlier: [step: string, ms: number][];
}

export const noEstimate: Estimate = {
  estimated_progress: null,
  estimated_step_progress: null,
  estimated_step_end_at: null,
  estimated_end_at: null,
};

/** A bar is full only once its job has completed. */
const FULL = 100;
const ALMOST_FULL = 99;

/**
 * The bar after a message. The share of a step is its part of the time that usually remains when it begins.
 * Without known durations, the bar stands where the message says.
 */
export function advanceBar(
  bar: JobBar | null,
  { step, progress }: { step: string; progress: number },
  usual: UsualDurations,
  now: number,
): JobBar {
  const before = bar?.to ?? 0;
  const said = Math.max(before, Math.min(progress, ALMOST_FULL));
  if (bar?.step === step) return bar.usual === null ? { ...bar, from: said, to: said } : bar;
  const ofStep = usual.of(step);
  const begun = { step, since: now, usual: ofStep, earlier: durationsOf(bar, now) };
  if (ofStep === null) return { ...begun, from: said, to: said };
  const { stepMs, afterMs } = ofStep;
  const share = stepMs === 0 ? 0 : stepMs / (stepMs + afterMs);
  const to = Math.min(before + (FULL - before) * share, ALMOST_FULL);
  return { ...begun, from: before, to: Math.max(before, to) };
}

/** How long each step has taken if the current one ends now. A step that was repeated counts once. */
export function durationsOf(bar: JobBar | null, now: number): JobBar['earlier'] {
  if (bar === null) return [];
  const ms = Math.max(0, now - bar.since);
  const isRepeated = bar.earlier.some(([step]) => step === bar.step);
  if (!isRepeated) return [...bar.earlier, [bar.step, ms]];
  return bar.earlier.map(([step, before]) => [step, step === bar.step ? before + ms : before]);
}

/**
 * When each step began, in milliseconds since the epoch, by the clock of the workers. Of steps that were
 * repeated, and those before them, only about when.
 */
export function stepTimes(bar: JobBar | null): ReadonlyMap<string, number> {
  if (bar === null) return new Map();
  let at = bar.since;
  const times = new Map([[bar.step, at]]);
  for (const [step, ms] of bar.earlier.toReversed()) {
    at -= ms;
    if (step !== bar.step) times.set(step, at);
  }
  return times;
}

/**
 * The bar at a time. Within a step it moves with the time that has passed, up to the step's end; it never
 * moves back. A step that takes longer than usual delays the end of the job.
 */
export function estimateAt({ from, since, to, usual }: JobBar, now: number): Estimate {
  if (usual === null) return { ...noEstimate, estimated_progress: Math.floor(from) };
  const { stepMs, afterMs } = usual;
  const passed = stepMs === 0 ? 1 : Math.min(1, Math.max(0, (now - since) / stepMs));
  const stepEnd = Math.max(since + stepMs, now);
  return {
    estimated_progress: Math.floor(from + (to - from) * passed),
    estimated_step_progress: Math.floor(to),
    estimated_step_end_at: toTimestamp(stepEnd),
    estimated_end_at: toTimestamp(stepEnd + afterMs),
  };
}

/** The estimate of a job that has completed. */
export const completedEstimate: Estimate = { ...noEstimate, estimated_progress: FULL };
