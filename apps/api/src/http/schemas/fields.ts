import { singleLine } from '@gateway/core';
import Joi from 'joi';

/** Parts for the schemas of requests and responses. A message continues a sentence that starts with the field's name. */

const PATH_ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,255}$/;

/** No control characters, line breaks or paragraph breaks. */
const PRINTABLE = /^[^\p{Cc}\u2028\u2029]*$/u;
/** No control characters except tabs and line breaks. */
const MULTILINE = /^[^\p{Cc}]*(?:[\t\r\n][^\p{Cc}]*)*$/u;
/** No direction marks and no invisible characters, with which two different names could look the same. */
const VISIBLE = /^[^\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*$/u;
const TRIMMED = /^\S(?:.*\S)?$/su;

const messages = { 'string.pattern.name': 'must not {#name}', 'string.empty': 'must not be empty' };

/** The name of an existing resource, which may have been created elsewhere: 1 to 255 characters. */
export function existingNameField() {
  return Joi.string().min(1).max(255).pattern(PRINTABLE, 'contain control characters').messages(messages);
}

/** A name for a new resource: no invisible characters, and no blanks at either end. */
export function nameField() {
  return existingNameField()
    .pattern(TRIMMED, 'begin or end with a blank')
    .pattern(VISIBLE, 'contain direction marks or other invisible characters');
}

/** A text about a new resource: up to 255 characters, also on several lines. */
export function descriptionField() {
  return Joi.string().max(255).allow('').pattern(MULTILINE, 'contain control characters').messages(messages);
}

/** What a machine reports as its problem. It becomes part of a message, so it is made a single line. */
export function reportedErrorField() {
  return Joi.string()
    .max(1000)
    .allow('', null)
    .custom((value: unknown) => (typeof value === 'string' ? singleLine(value) : value));
}

const MAX_VOLUME_GB = 65_536;

export function volumeSizeField() {
  return Joi.number().integer().min(1).max(MAX_VOLUME_GB);
}

/** The id of another resource. */
export function idField() {
  return Joi.string().pattern(PATH_ID).messages({ 'string.pattern.base': 'must be an id' });
}

/** The ids in a path, such as `pathIds('instance_id')`. */
export function pathIds<Name extends string>(...names: Name[]): Joi.ObjectSchema<Record<Name, string>> {
  return Joi.object(Object.fromEntries(names.map((name) => [name, idField().required()])));
}

/** A timestamp in a response: UTC, in seconds. */
export function timestamp() {
  return Joi.string().pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
}

/**
 * An object in a response, with a name in the OpenAPI document. Fields are required unless marked optional. `example` returns the
 * fields of its example that should differ from what such fields have elsewhere.
 */
export function shape(
  name: string,
  fields: Record<string, Joi.Schema>,
  example?: () => Record<string, unknown>,
) {
  return part(fields).meta({ name, ...(example && { example }) });
}

/** An object within a shape. Fields are required unless marked optional. */
export function part(fields: Record<string, Joi.Schema>) {
  return Joi.object(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, isOptional(field) ? field : required(field)]),
    ),
  );
}

const requiredFields = new WeakMap<Joi.Schema, Joi.Schema>();

/** Made once for each schema: shapes have a thousand fields, many of them the same plain string. */
function required(field: Joi.Schema): Joi.Schema {
  const known = requiredFields.get(field);
  if (known !== undefined) return known;
  const made = field.required();
  requiredFields.set(field, made);
  return made;
}

/** Whether the schema is marked as optional, not only not required. */
export function isOptional(field: Joi.Schema): boolean {
  return field.$_getFlag('presence') === 'optional';
}

export function text() {
  return Joi.string().allow('');
}

export function nullableText() {
  return text().allow(null);
}

export const errorSchema = shape('Error', {
  detail: text().description('What went wrong, in words that can be shown to a user.'),
  code: Joi.string().description(
    'A stable name of the kind of error. Of a 404: `not_found` for a resource, `service_disabled` for an optional ' +
      'service that is switched off here, `route_not_found` for an address that does not exist.',
  ),
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
