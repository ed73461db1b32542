import Joi, { type ObjectSchema } from 'joi';
import { bodySchemaOf, findBodyProblems, trimBody } from './body-rules.ts';
import { type Problem, toValidationError } from './validation-errors.ts';

/** The part of a request, as error messages name it. */
type InputPart = 'path' | 'query' | 'body';

interface InputSchemas {
  path?: ObjectSchema;
  query?: ObjectSchema;
  body?: ObjectSchema;
}

type Input = Record<InputPart, unknown>;

const PARTS: InputPart[] = ['path', 'query', 'body'];

/**
 * Validates all parts of the input. A declared body is required, and its types are not converted. Path and
 * query parameters are converted to the declared types. Unknown fields of a body are dropped. Unknown query
 * parameters are refused, because a filter that is dropped would show the wrong rows.
 *
 * @throws 400 with the problems of all fields
 */
export function validateInput(schemas: InputSchemas, input: Partial<Input>): Input {
  const problems: Problem[] = [];
  const checked: Input = { path: undefined, query: undefined, body: undefined };
  for (const part of PARTS) {
    const schema = schemas[part];
    if (schema === undefined && part !== 'query') continue;
    const found =
      part === 'body' && schema !== undefined
        ? checkBody(schema, input.body)
        : checkParameters(part, schema ?? NO_PARAMETERS, input[part]);
    if (schema !== undefined) checked[part] = found.value;
    problems.push(...found.problems);
  }
  if (problems.length > 0) throw toValidationError(problems);
  return checked;
}

const NO_PARAMETERS = Joi.object({});

interface Checked {
  value: unknown;
  problems: Problem[];
}

function checkBody(declared: ObjectSchema, body: unknown): Checked {
  const flaws = findBodyProblems(body);
  if (flaws.length > 0) return { value: undefined, problems: flaws };
  const { rules, schema } = bodySchemaOf(declared);
  const { value, problems } = trimBody(rules, body);
  const found = check('body', schema, value, false);
  const refused = new Set(problems.map(({ path }) => path.join('.')));
  const others = found.problems.filter(({ path }) => !refused.has(path.join('.')));
  return { value: found.value, problems: [...problems, ...others] };
}

function checkParameters(part: InputPart, schema: ObjectSchema, parameters: unknown): Checked {
  return check(part, schema, parameters ?? {}, true, {
    'object.unknown': 'is not a parameter of this request',
  });
}

function check(
  part: InputPart,
  schema: ObjectSchema,
  input: unknown,
  convert: boolean,
  messages?: Record<string, string>,
): Checked {
  const { value, error } = schema.validate(input, {
    abortEarly: false,
    convert,
    stripUnknown: part !== 'query',
    errors: { label: false },
    ...(messages && { messages }),
  });
  const details = error?.details ?? [];
  return { value, problems: details.map(({ path, message }) => ({ path: [part, ...path], message })) };
}
