import { isDeepStrictEqual } from 'node:util';
import type { Schema } from 'joi';

export type Json = Record<string, unknown>;

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
  const { patternProperties, additionalProperties, ...rest } = withType(withNull(single(schema as Json)));
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

/** Generators of clients expect the type in each part of a composition. */
function withType(schema: Json): Json {
  const { type, allOf } = schema;
  if (type === undefined || !Array.isArray(allOf)) return schema;
  return { ...schema, allOf: allOf.map((part: Json) => ({ type, ...part })) };
}
