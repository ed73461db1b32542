import { type FieldError, invalidInput } from '@gateway/core';
import type { ObjectSchema } from 'joi';

/** Where a value came from, as error messages name it. */
export type InputPart = 'path' | 'query' | 'body';

export interface InputSchemas {
  path?: ObjectSchema;
  query?: ObjectSchema;
  body?: ObjectSchema;
}

export type Input = Record<InputPart, unknown>;

const PARTS: InputPart[] = ['path', 'query', 'body'];
const DEEPEST_NESTING = 20;

/**
 * Checks all parts of the input at once and names every bad field. Bodies are strict about types, texts of
 * path and query are converted; unknown fields are dropped.
 */
export function validateInput(schemas: InputSchemas, input: Partial<Input>): Input {
  const errors: FieldError[] = [];
  const checked: Input = { path: undefined, query: undefined, body: undefined };
  for (const part of PARTS) {
    const schema = schemas[part];
    if (schema === undefined) continue;
    if (part === 'body' && isTooDeep(input.body)) {
      errors.push({ field: 'body', message: `must not be nested deeper than ${DEEPEST_NESTING} levels` });
      continue;
    }
    const { value, error } = schema.validate(input[part] ?? (part === 'body' ? undefined : {}), {
      abortEarly: false,
      convert: part !== 'body',
      stripUnknown: true,
      errors: { label: false },
    });
    checked[part] = value;
    for (const { path, message } of error?.details ?? []) {
      errors.push({ field: [part, ...path].join('.'), message });
    }
  }
  if (errors.length > 0) {
    const named = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw invalidInput(`The request is not valid: ${named}.`, { errors });
  }
  return checked;
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST_NESTING) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
