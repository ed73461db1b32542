import { GatewayError } from '@gateway/core';
import type { Leftover } from '@gateway/jobs';
import type { Step } from './step.ts';

/** Describes a resource of a step that could not be removed, with a readable reason. */
export function leftoverOf<Context, State extends object>(
  step: Step<Context, State>,
  result: Partial<State> | null,
  error: unknown,
): Leftover {
  const named = result === null ? undefined : step.leftover?.(result);
  const reason = error instanceof GatewayError ? error.message : 'An internal error occurred.';
  return { type: named?.type ?? step.name, id: named?.id ?? '', reason };
}
