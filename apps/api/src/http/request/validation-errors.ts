import { cutText, type FieldError, type GatewayError, invalidInput } from '@gateway/core';

/** A validation problem of one value. The path starts with the part of the request. */
export interface Problem {
  path: readonly (string | number)[];
  message: string;
}

/** Maximum number of problems in `errors`. */
export const MAX_ERRORS = 100;
/** Maximum number of problems in `detail`. */
const MAX_IN_DETAIL = 5;
/** In characters. Names of fields may come from the caller. */
const MAX_FIELD_LENGTH = 255;

/** The error for a request with these problems, without duplicates. */
export function toValidationError(problems: readonly Problem[]): GatewayError {
  const distinct = new Map<string, Problem>();
  for (const problem of problems) distinct.set(JSON.stringify(problem), problem);
  const all = [...distinct.values()];
  const sentences = all.slice(0, MAX_IN_DETAIL).map(({ path, message }) => `${subjectOf(path)} ${message}`);
  const rest = all.length - sentences.length;
  if (rest > 0) sentences.push(rest === 1 ? 'one more problem' : `${rest} more problems`);
  return invalidInput(`The request is not valid: ${sentences.join('; ')}.`, {
    errors: all.slice(0, MAX_ERRORS).map(toFieldError),
  });
}

function toFieldError({ path, message }: Problem): FieldError {
  return { field: truncate(path.join('.')), message };
}

/** In words: `name`, `item 2 of libraries`, `files of manifest`, `the body`. */
function subjectOf([part, ...path]: Problem['path']): string {
  if (path.length === 0) return `the ${part}`;
  const words = path.map((step) => (typeof step === 'number' ? `item ${step + 1}` : truncate(step)));
  return words.toReversed().join(' of ');
}

function truncate(text: string): string {
  return cutText(text, MAX_FIELD_LENGTH).toWellFormed();
}
