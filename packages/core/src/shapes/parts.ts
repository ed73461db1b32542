import { z } from 'zod';

/** What is within nullable or optional. */
function innerOf(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return isWrapped ? innerOf(schema.unwrap() as z.ZodType) : schema;
}

/** The schema of the items of a list; undefined for anything else. */
export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined;
}

/** The schema of the values of a map; undefined for anything else. */
export function valuesOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.ZodRecord ? (inner.valueType as z.ZodType) : undefined;
}

/** The kinds of an object of one of several kinds; undefined for anything else. */
export function kindsOf(schema: z.ZodType): readonly z.ZodType[] | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.ZodDiscriminatedUnion ? (inner.options as z.ZodType[]) : undefined;
}

export function isObject(schema: z.ZodType | undefined): schema is z.ZodObject {
  return schema instanceof z.ZodObject;
}

/** The fields of an object, or of the objects of a list, by name. */
export function fieldsOf(schema: z.ZodType): ReadonlyMap<string, z.ZodType> {
  const object = innerOf(itemOf(schema) ?? schema);
  return new Map(Object.entries(isObject(object) ? (object.shape as Record<string, z.ZodType>) : {}));
}

/** The type in JSON. */
export function typeOf(schema: z.ZodType): string {
  const inner = innerOf(schema);
  return inner instanceof z.ZodLiteral ? typeof inner.values.values().next().value : inner.type;
}
