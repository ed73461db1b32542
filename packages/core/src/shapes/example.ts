import { z } from 'zod';
import { givenExampleOf } from './shape.ts';

/**
 * An example of a shape, from the values of its fields.
 *
 * @param given what differs
 * @throws when a required field has no value to show
 */
export function exampleOf(schema: z.ZodType, given?: unknown, path = ''): unknown {
  if (given === null) return null;
  if (schema instanceof z.ZodOptional) return exampleOf(schema.unwrap() as z.ZodType, given, path);
  if (schema instanceof z.ZodNullable) {
    const inner = schema.unwrap() as z.ZodType;
    return given === undefined && showsNull(inner) ? null : exampleOf(inner, given, path);
  }
  if (schema instanceof z.ZodUnion) return exampleOf(schema.options[0] as z.ZodType, given, path);
  const known = given ?? ownExample(schema);
  if (schema instanceof z.ZodObject) return exampleOfObject(schema, known as object | undefined, path);
  if (schema instanceof z.ZodArray) {
    const items = (known ?? [undefined]) as unknown[];
    return items.map((item) => exampleOf(schema.element as z.ZodType, item, `${path}[]`));
  }
  const value = known ?? plainValue(schema);
  if (value === undefined)
    throw new Error(`The shape has no example for ${path}: please give one to the field.`);
  return value;
}

function exampleOfObject(schema: z.ZodObject, given: object | undefined, path: string): object {
  const differing = { ...givenExampleOf(schema), ...given } as Record<string, unknown>;
  const shown = Object.entries(schema.shape as Record<string, z.ZodType>).filter(
    ([name, field]) => name in differing || !(field instanceof z.ZodOptional) || hasExample(field),
  );
  return Object.fromEntries(
    shown.map(([name, field]) => [name, exampleOf(field, differing[name], `${path}.${name}`)]),
  );
}

function ownExample(schema: z.ZodType): unknown {
  return z.globalRegistry.get(schema)?.example;
}

/** Whether an optional field shows a value. */
function hasExample(schema: z.ZodType): boolean {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapped ? hasExample(schema.unwrap() as z.ZodType) : ownExample(schema) !== undefined;
}

/** Whether a field that may be null shows null: a value without an example, or whose example is null. */
function showsNull(schema: z.ZodType): boolean {
  const example = ownExample(schema);
  if (example !== undefined) return example === null;
  return !(
    schema instanceof z.ZodObject ||
    schema instanceof z.ZodArray ||
    schema instanceof z.ZodRecord ||
    schema instanceof z.ZodLiteral
  );
}

/** The value of a type that nobody needs an example of. */
function plainValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodLiteral) return schema.values.values().next().value;
  if (schema instanceof z.ZodNumber) return isLimit(schema.minValue) ? schema.minValue : 1;
  if (schema instanceof z.ZodBoolean) return true;
  return schema instanceof z.ZodRecord ? {} : undefined;
}

/** Not the smallest integer, which zod says of an integer without a minimum. */
function isLimit(value: number | null): boolean {
  return value !== null && value > Number.MIN_SAFE_INTEGER;
}
