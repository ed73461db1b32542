import { isDeepStrictEqual } from 'node:util';
import type { Schema } from 'joi';
import { DATE, TIME } from '../http/schemas/fields.ts';

export type Json = Record<string, unknown>;

/** Formats that generators of clients have types for, by the pattern that checks them. */
const FORMATS: Record<string, string> = { [DATE.source]: 'date', [TIME.source]: 'date-time' };
/** Of a pattern that a regular expression of every language reads, other than `\p{Cc}`. */
const CONTROL_CHARACTERS = '\\x00-\\x1f\\x7f-\\x9f';
/** Separators of lines and halves of characters: a generator writes them out, which breaks its expression. */
const UNWRITABLE = /\\u2028\\u2029|\\ud800-\\udfff/g;

/**
 * The JSON Schema of a Joi schema, corrected where Joi's description differs from the behaviour of the
 * gateway.
 */
export function toJsonSchema(schema: Schema): Json {
  return corrected(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })) as Json;
}

function corrected(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(corrected);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { patternProperties, additionalProperties, ...rest } = withOnePattern(
    withNull(single(schema as Json)),
  );
  // Unknown fields of a request are ignored, and responses may get new fields.
  const open = additionalProperties === false ? {} : { additionalProperties };
  const ofAnyName = (patternProperties as Json | undefined)?.['.*'];
  const named =
    ofAnyName === undefined ? { patternProperties, ...open } : { additionalProperties: ofAnyName };
  return Object.fromEntries(
    Object.entries({ ...rest, ...named })
      .filter(([_key, value]) => value !== undefined)
      .map(([key, value]) => [key, corrected(value)]),
  );
}

/** Joi describes a condition as a choice, also when only one schema remains, or several equal ones. */
function single({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest;
  const [first, ...others] = anyOf.map(corrected) as [Json, ...Json[]];
  return others.every((other) => isDeepStrictEqual(other, first))
    ? { ...rest, ...first }
    : { anyOf, ...rest };
}

/** In Joi's description, only the type shows that a field may be null. */
function withNull(schema: Json): Json {
  const { type, enum: values } = schema;
  const lacksNull =
    Array.isArray(values) && Array.isArray(type) && type.includes('null') && !values.includes(null);
  return lacksNull ? { ...schema, enum: [...values, null] } : schema;
}

/** Generators of clients take `allOf` for a composition of objects, also where Joi has several patterns. */
function withOnePattern({ pattern: own, allOf, ...schema }: Json): Json {
  const parts = (allOf ?? [{ pattern: own }]) as Json[];
  const patterns = parts.flatMap((part) => (typeof part.pattern === 'string' ? [part.pattern] : []));
  const [last, ...others] = patterns.toReversed();
  if (last === undefined) return schema;
  const format = FORMATS[last];
  if (format !== undefined) return { ...schema, format };
  const ahead = others.toReversed().map((one) => `(?=${one})`);
  const pattern = [...ahead, last].join('').replaceAll('\\p{Cc}', CONTROL_CHARACTERS);
  return { ...schema, pattern: pattern.replace(UNWRITABLE, '') };
}
