import { type FieldError, type GatewayError, invalidInput } from '@gateway/core';

/** A problem with one value: where it stands, part of the request first, and what is wrong with it. */
export interface Problem {
  path: readonly (string | number)[];
  message: string;
}

/** At most so many problems stand in `errors`, and so many in the sentence. */
export const MAX_ERRORS = 100;
const MAX_TOLD = 5;
/** Characters. Names of fields may be the caller's own. */
const MAX_FIELD = 255;

/** The refusal of a request with these problems, each told once. */
export function refusalOf(problems: readonly Problem[]): GatewayError {
  const distinct = new Map<string, Problem>();
  for (const problem of problems) distinct.set(JSON.stringify(problem), problem);
  const all = [...distinct.values()];
  const sentences = all.slice(0, MAX_TOLD).map(({ path, message }) => `${subjectOf(path)} ${message}`);
  const rest = all.length - sentences.length;
  if (rest > 0) sentences.push(rest === 1 ? 'one more problem' : `${rest} more problems`);
  return invalidInput(`The request is not valid: ${sentences.join('; ')}.`, {
    errors: all.slice(0, MAX_ERRORS).map(toFieldError),
  });
}

function toFieldError({ path, message }: Problem): FieldError {
  return { field: bounded(path.join('.')), message };
}

/** In words: `name`, `item 2 of libraries`, `files of manifest`, `the body`. */
function subjectOf([part, ...path]: Problem['path']): string {
  if (path.length === 0) return `the ${part}`;
  const words = path.map((step) => (typeof step === 'number' ? `item ${step + 1}` : bounded(step)));
  return words.toReversed().join(' of ');
}

function bounded(text: string): string {
  return text.slice(0, MAX_FIELD).toWellFormed();
}
