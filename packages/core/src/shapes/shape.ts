import { z } from 'zod';

/** The schema of a response or of a part of one. */
export type Shape<T> = z.ZodType<T>;

/** The type of a shape. */
export type ShapeType<Schema extends z.ZodType> = z.output<Schema>;

/** A field for each field of `T`. */
type FieldsOf<T> = { [Name in keyof T as Exclude<Name, symbol>]-?: z.ZodType<T[Name]> };

interface Named {
  name: string;
  example: (() => object) | undefined;
}

const named = z.registry<Named>();

/**
 * An object in a response, with a name in the OpenAPI document. `example` returns the fields of its example
 * that differ from those of the fields.
 */
export function shape<Fields extends z.ZodRawShape>(name: string, fields: Fields, example?: () => object) {
  return z.strictObject(fields).register(named, { name, example });
}

/** A schema that is no object, with a name in the OpenAPI document. */
export function withName<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  named.add(schema, { name, example: undefined });
  return schema;
}

/** Like `shape`, for a type of a module that must not know shapes. */
export function shapeLike<T = never>(
  name: string,
  fields: NoInfer<FieldsOf<T>>,
  example?: () => object,
): Shape<T> {
  return shape(name, fields as z.ZodRawShape, example) as unknown as Shape<T>;
}

/** An object within a shape. */
export function part<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.strictObject(fields);
}

/** The name of a shape, which is that of its component in the OpenAPI document; undefined without one. */
export function nameOf(schema: z.ZodType): string | undefined {
  return named.get(schema)?.name;
}

/** The fields that the example of a named shape sets apart. */
export function givenExampleOf(schema: z.ZodType): object | undefined {
  return named.get(schema)?.example?.();
}
