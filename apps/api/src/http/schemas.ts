import Joi from 'joi';

/** Parts that schemas of requests and answers are made of. Messages complete «field …». */

const CONTROL_CHARACTERS = /^[^\p{Cc}]*$/u;
const PATH_ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;

const named = Joi.string().min(1).max(255).pattern(CONTROL_CHARACTERS, 'no control characters');

/** A name a user gives: 1 to 255 characters, none of them a control character. */
export function nameField() {
  return named.messages({
    'string.pattern.name': 'must not contain control characters',
    'string.empty': 'must not be empty',
  });
}

/** An id of another resource, as a field of a body. */
export function idField() {
  return Joi.string().pattern(PATH_ID).messages({ 'string.pattern.base': 'must be an id' });
}

/** Ids in a path: `pathIds('instance_id')`. */
export function pathIds<Name extends string>(...names: Name[]): Joi.ObjectSchema<Record<Name, string>> {
  return Joi.object(Object.fromEntries(names.map((name) => [name, idField().required()])));
}

/** A time as the gateway gives it: UTC, to the second. */
export function timestamp() {
  return Joi.string().pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
}

/** A shape of the interface, named in the OpenAPI document; every field is there unless marked optional. */
export function shape(name: string, fields: Record<string, Joi.Schema>) {
  return part(fields).meta({ name });
}

/** An object within a shape. */
export function part(fields: Record<string, Joi.Schema>) {
  return Joi.object(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, isOptional(field) ? field : field.required()]),
    ),
  );
}

function isOptional(field: Joi.Schema): boolean {
  const { presence } = (field.describe().flags ?? {}) as { presence?: string };
  return presence === 'optional';
}

export function text() {
  return Joi.string().allow('');
}

export function nullableText() {
  return text().allow(null);
}

export const errorSchema = shape('Error', {
  detail: text().description('What went wrong, in words that can be shown to a user.'),
  code: Joi.string().description('A stable name of the kind of error.'),
  request_id: Joi.string(),
  errors: Joi.array()
    .items(part({ field: Joi.string(), message: Joi.string() }))
    .optional(),
  job_id: Joi.string().optional(),
  upstream: part({
    service: Joi.string(),
    status: Joi.number().integer().allow(null),
    request_id: Joi.string().allow(null),
  }).optional(),
});
