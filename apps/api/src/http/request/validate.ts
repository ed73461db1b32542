import Joi, { type ObjectSchema } from 'joi';
import { refreshField } from '../schemas/refresh.ts';
import { fieldsOf } from '../schemas/schema-parts.ts';
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

interface ValidationOptions {
  /** Of a read, whose unknown filters would show the wrong rows; a change ignores them. */
  refusesUnknownQuery?: boolean;
}

interface ValidatedInput extends Input {
  /** The paths of what is not known and has no effect: fields of the body, and parameters of the query. */
  ignored: Problem['path'][];
}

/**
 * Validates all parts of the input. A declared body is required, and its types are not converted. Path and
 * query parameters are converted to the declared types. Unknown fields of a body are dropped.
 *
 * @throws 400 with the problems of all fields
 */
export function validateInput(
  schemas: InputSchemas,
  input: Partial<Input>,
  { refusesUnknownQuery = true }: ValidationOptions = {},
): ValidatedInput {
  const problems: Problem[] = [];
  const checked: ValidatedInput = { path: undefined, query: undefined, body: undefined, ignored: [] };
  for (const part of PARTS) {
    const schema = schemas[part];
    if (schema === undefined && part !== 'query') continue;
    const found =
      part === 'body' && schema !== undefined
        ? checkBody(schema, input.body)
        : part === 'query'
          ? checkQuery(schema ?? NO_PARAMETERS, input.query ?? {}, refusesUnknownQuery)
          : checkParameters(part, schema ?? NO_PARAMETERS, input[part] ?? {});
    if (schema !== undefined) checked[part] = found.value;
    checked.ignored.push(...(found.ignored ?? []));
    problems.push(...found.problems);
  }
  if (problems.length > 0) throw toValidationError(problems);
  return checked;
}

/** The paths of the fields of a body that the endpoint does not take: all of them. */
export function ignoredFieldsOf(body: unknown): Problem['path'][] {
  return trimBody(bodySchemaOf(NO_PARAMETERS).rules, body).ignored;
}

const NO_PARAMETERS = Joi.object({});

interface Checked {
  value: unknown;
  problems: Problem[];
  ignored?: Problem['path'][];
}

function checkBody(declared: ObjectSchema, body: unknown): Checked {
  const flaws = findBodyProblems(body);
  if (flaws.length > 0) return { value: undefined, problems: flaws };
  const { rules, schema } = bodySchemaOf(declared);
  const { ignored, problems, value } = trimBody(rules, body);
  const found = check('body', prepare('body', schema), value);
  const refused = new Set(problems.map(({ path }) => path.join('.')));
  const others = found.problems.filter(({ path }) => !refused.has(path.join('.')));
  return { value: found.value, problems: [...problems, ...others], ignored };
}

const READ = Joi.object({ refresh: refreshField() });

function checkQuery(declared: ObjectSchema, query: object, refusesUnknown: boolean): Checked {
  const entries = Object.entries(query);
  if (entries.length === 0) return checkParameters('query', declared, query);
  const fields = fieldsOf(declared);
  const unknown = entries.filter(([name]) => !fields.has(name));
  if (unknown.length === 0) return checkParameters('query', declared, query);
  const known = entries.filter(([name]) => fields.has(name));
  if (!refusesUnknown) {
    const ignored = unknown.map(([name]) => ['query', name]);
    return { ...checkParameters('query', declared, Object.fromEntries(known)), ignored };
  }
  // Every read takes `refresh`, also where nothing is cached.
  const [refresh, others] = [true, false].map((isIt) =>
    unknown.filter(([name]) => (name === 'refresh') === isIt),
  );
  const { problems } = checkParameters('query', READ, Object.fromEntries(refresh ?? []));
  const found = checkParameters('query', declared, Object.fromEntries([...known, ...(others ?? [])]));
  return { ...found, problems: [...found.problems, ...problems] };
}

function checkParameters(part: InputPart, declared: ObjectSchema, parameters: object): Checked {
  return check(part, prepare(part, declared), parameters);
}

function check(part: InputPart, prepared: ObjectSchema, input: unknown): Checked {
  const { value, error } = prepared.validate(input);
  const details = error?.details ?? [];
  return { value, problems: details.map(({ path, message }) => ({ path: [part, ...path], message })) };
}

/** The schemas with the preferences of each part, which Joi would otherwise compile anew for each input. */
const preparedSchemas: Record<InputPart, WeakMap<ObjectSchema, ObjectSchema>> = {
  path: new WeakMap(),
  query: new WeakMap(),
  body: new WeakMap(),
};

function prepare(part: InputPart, schema: ObjectSchema): ObjectSchema {
  const known = preparedSchemas[part].get(schema);
  if (known !== undefined) return known;
  const prepared = schema.prefs({
    abortEarly: false,
    convert: part !== 'body',
    stripUnknown: part !== 'query',
    errors: { label: false },
    ...(part !== 'body' && { messages: { 'object.unknown': 'is not a parameter of this request' } }),
  });
  preparedSchemas[part].set(schema, prepared);
  return prepared;
}
