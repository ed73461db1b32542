import { z } from 'zod';

type Json = Record<string, unknown>;

/** Converts a part of a shape, for example to a reference. */
export type ConvertPart = (part: z.ZodType) => Json;

/**
 * The JSON Schema (draft 2020-12) of a shape. Objects stay open, because responses may get new fields.
 *
 * @param convert for its parts
 */
export function toJsonSchema(schema: z.ZodType, convert: ConvertPart): Json {
  const { description } = z.globalRegistry.get(schema) ?? {};
  const json = bareJsonSchema(schema, convert);
  return description === undefined ? json : { ...json, description };
}

function bareJsonSchema(schema: z.ZodType, convert: ConvertPart): Json {
  if (schema instanceof z.ZodOptional) return convert(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return orNull(convert(schema.unwrap() as z.ZodType));
  if (schema instanceof z.ZodArray) return { type: 'array', items: convert(schema.element as z.ZodType) };
  if (schema instanceof z.ZodRecord) {
    const values = convert(schema.valueType as z.ZodType);
    return { type: 'object', ...(Object.keys(values).length > 0 && { additionalProperties: values }) };
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return unionSchema(schema, convert);
  if (schema instanceof z.ZodObject) return objectSchema(schema, convert);
  if (schema instanceof z.ZodLiteral) {
    const values = [...schema.values];
    return { type: typeof values[0], enum: values };
  }
  const {
    $schema: _schema,
    example: _example,
    minimum,
    maximum,
    pattern,
    ...json
  } = z.toJSONSchema(schema) as Json;
  return {
    ...json,
    // A format says it in a way that generators of clients understand.
    ...(json.format === undefined && pattern !== undefined && { pattern }),
    ...(minimum !== Number.MIN_SAFE_INTEGER && minimum !== undefined && { minimum }),
    ...(maximum !== Number.MAX_SAFE_INTEGER && maximum !== undefined && { maximum }),
  };
}

function unionSchema({ def, options }: z.ZodDiscriminatedUnion, convert: ConvertPart): Json {
  const field = def.discriminator;
  const kinds = (options as z.ZodObject[]).map((kind) => {
    const { values } = kind.shape[field] as z.ZodLiteral;
    return { value: values.values().next().value, json: convert(kind) };
  });
  return {
    oneOf: kinds.map(({ json }) => json),
    discriminator: {
      propertyName: field,
      mapping: Object.fromEntries(kinds.map(({ json, value }) => [value, json.$ref])),
    },
  };
}

function objectSchema({ shape }: z.ZodObject, convert: ConvertPart): Json {
  const fields = Object.entries(shape as Record<string, z.ZodType>);
  const required = fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, convert(field)])),
    ...(required.length > 0 && { required: required.sort() }),
  };
}

/** Generators of clients understand a list of types, and a choice only between a reference and null. */
function orNull({ description, ...json }: Json): Json {
  if (description !== undefined) return { ...orNull(json), description };
  if (json.type === undefined) return { anyOf: [json, { type: 'null' }] };
  const { enum: values } = json;
  return { ...json, type: [json.type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}
