import { CHOSEN_ID, RESOURCE_ID, singleLine, toTimestamp } from '@gateway/core';
import Joi from 'joi';

/**
 * Parts for the schemas of requests. A message continues a sentence that starts with the
 * field's name.
 */

/** No control characters, line breaks or paragraph breaks. */
const PRINTABLE = /^[^\p{Cc}\u2028\u2029]*$/u;
/** No control characters except tabs and line breaks. */
const MULTILINE = /^[^\p{Cc}]*(?:[\t\r\n][^\p{Cc}]*)*$/u;
/** No direction marks and no invisible characters, which could make two different names indistinguishable. */
const VISIBLE = /^[^\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*$/u;
const TRIMMED = /^\S(?:.*\S)?$/su;

/** The same schema at each call. Schemas cannot change, and a thousand equal ones take a while to make. */
function once<Schema extends Joi.Schema>(schema: Schema): () => Schema {
  return () => schema;
}

const messages = { 'string.pattern.name': 'must not {#name}', 'string.empty': 'must not be empty' };

/** The name of an existing resource, which may have been created elsewhere: 1 to 255 characters. */
export const existingNameField = once(
  Joi.string().min(1).max(255).pattern(PRINTABLE, 'contain control characters').messages(messages),
);

/** A name for a new resource: no invisible characters, and no blanks at either end. */
export const nameField = once(
  existingNameField()
    .pattern(TRIMMED, 'begin or end with a blank')
    .pattern(VISIBLE, 'contain direction marks or other invisible characters'),
);

function multilineField(maxLength: number) {
  return Joi.string()
    .max(maxLength)
    .allow('')
    .pattern(MULTILINE, 'contain control characters')
    .messages(messages);
}

/** A text about a new resource, also on several lines. The services take no more than 255 characters. */
export const descriptionField = once(multilineField(255));

/** As many characters of four bytes as fit into the 65,535 bytes that the services store. */
const MAX_LONG_DESCRIPTION_LENGTH = 16_383;

/** A text about a flavor, or about what the identity service has. */
export const longDescriptionField = once(multilineField(MAX_LONG_DESCRIPTION_LENGTH));

/** The identity service takes no more characters by default. */
const MAX_PASSWORD_LENGTH = 4096;

/** A password of a user, or the secret of an application credential. */
export const passwordField = once(Joi.string().min(1).max(MAX_PASSWORD_LENGTH));

/** Linux takes no more characters at a prompt. */
const MAX_ADMIN_PASS_LENGTH = 511;

/** The password of the administrator inside an instance. */
export const adminPassField = once(Joi.string().min(1).max(MAX_ADMIN_PASS_LENGTH));

/** The problem that a machine reports. Converted to a single line, because it becomes part of a message. */
export function reportedErrorField() {
  return Joi.string()
    .max(1000)
    .allow('', null)
    .custom((value: unknown) => (typeof value === 'string' ? singleLine(value) : value));
}

/** What the services store; quotas and the limit of one volume are theirs. */
const MAX_VOLUME_GB = 2_147_483_647;

export function volumeSizeField() {
  return Joi.number().integer().min(1).max(MAX_VOLUME_GB);
}

/** The id of another resource. */
export const idField = once(
  Joi.string().pattern(RESOURCE_ID).messages({ 'string.pattern.base': 'must be an id' }),
);

/** An id that people choose, such as `gpu large 1` or `jo@example.org`; also an id of any resource. */
export const chosenIdField = once(
  Joi.string().pattern(CHOSEN_ID).messages({ 'string.pattern.base': 'must be an id' }),
);

/** Administrators choose the ids of flavors, and those of users and groups in a directory (LDAP). */
const CHOSEN_IDS = /(?:^|_)(?:flavor|user)_id$|^group_id$/;

/** Whether people choose the ids of the resource that the parameter names. */
export function isChosenId(name: string): boolean {
  return CHOSEN_IDS.test(name);
}

/** The field for an id with this name in a path or a query. */
export function namedIdField(name: string) {
  return isChosenId(name) ? chosenIdField() : idField();
}

/** The ids in a path, such as `pathIds('instance_id')`. */
export function pathIds<Name extends string>(...names: Name[]): Joi.ObjectSchema<Record<Name, string>> {
  return Joi.object(Object.fromEntries(names.map((name) => [name, required(namedIdField(name))])));
}

/** An object within a body, whose fields are all required. */
export function part<T extends object>(fields: Record<keyof T, Joi.Schema>): Joi.ObjectSchema<T> {
  return Joi.object(
    Object.fromEntries(Object.entries<Joi.Schema>(fields).map(([name, field]) => [name, required(field)])),
  );
}

/** A day in UTC. */
export const DATE = /^[1-9]\d{3}-\d\d-\d\d$/;
/** A time as in RFC 3339. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** A time in any zone. Converted to UTC, in seconds. */
export function timestampField() {
  return Joi.string()
    .pattern(TIME)
    .custom((value: string, { error }) => toTimestamp(value) ?? error('string.pattern.base'))
    .messages({ 'string.pattern.base': 'must be a time such as 2027-01-31T00:00:00Z' });
}

/** A list in a body. */
export function listOf<T>(item: Joi.AnySchema<T>): Joi.ArraySchema<T[]> {
  return Joi.array<T[]>().items(item);
}

const requiredFields = new WeakMap<Joi.Schema, Joi.Schema>();

/** Created once for each schema: shapes have a thousand fields, many of them the same plain string. */
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
