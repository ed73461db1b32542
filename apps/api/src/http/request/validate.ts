import type { ObjectSchema } from 'joi';
import { bodySchemaOf, flawsOf, trimBody } from './body-rules.ts';
import { type Problem, refusalOf } from './problems.ts';

/** Where a value came from, as error messages name it. */
export type InputPart = 'path' | 'query' | 'body';

export interface InputSchemas {
  path?: ObjectSchema;
  query?: ObjectSchema;
  body?: ObjectSchema;
}

export type Input = Record<InputPart, unknown>;

const PARTS: InputPart[] = ['path', 'query', 'body'];

/**
 * Checks all parts of the input at once and names every bad field. Bodies are strict about types, and there is one where
 * one is declared; texts of path and query are converted; unknown fields are dropped.
 *
 * @throws 400 with all problems
 */
export function validateInput(schemas: InputSchemas, input: Partial<Input>): Input {
  const problems: Problem[] = [];
  const checked: Input = { path: undefined, query: undefined, body: undefined };
  for (const part of PARTS) {
    const schema = schemas[part];
    if (schema === undefined) continue;
    const found = part === 'body' ? checkBody(schema, input.body) : checkTexts(part, schema, input[part]);
    checked[part] = found.value;
    problems.push(...found.problems);
  }
  if (problems.length > 0) throw refusalOf(problems);
  return checked;
}

interface Checked {
  value: unknown;
  problems: Problem[];
}

function checkBody(declared: ObjectSchema, body: unknown): Checked {
  const flaws = flawsOf(body);
  if (flaws.length > 0) return { value: undefined, problems: flaws };
  const { rules, schema } = bodySchemaOf(declared);
  const { value, problems } = trimBody(rules, body);
  const found = check('body', schema, value, false);
  const refused = new Set(problems.map(({ path }) => path.join('.')));
  const others = found.problems.filter(({ path }) => !refused.has(path.join('.')));
  return { value: found.value, problems: [...problems, ...others] };
}

function checkTexts(part: InputPart, schema: ObjectSchema, texts: unknown): Checked {
  return check(part, schema, texts ?? {}, true);
}

function check(part: InputPart, schema: ObjectSchema, input: unknown, convert: boolean): Checked {
  const { value, error } = schema.validate(input, {
    abortEarly: false,
    convert,
    stripUnknown: true,
    errors: { label: false },
  });
  const details = error?.details ?? [];
  return { value, problems: details.map(({ path, message }) => ({ path: [part, ...path], message })) };
}
