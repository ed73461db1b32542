import { z } from 'zod';
import { exampleId } from './example-id.ts';
import { withName } from './shape.ts';

/**
 * The fields of responses. The first argument is the value that the examples of the OpenAPI document show. A
 * field without one shows null if it may be null, and is left out if it is optional.
 */

/** The moment at which most of the examples take place. */
const NOW = '2026-11-22T09:30:00Z';

/**
 * Fields of one kind share a schema. They are never changed: what a field adds makes another one, which takes
 * a kilobyte or two, and there are a thousand fields.
 */
const TEXT = z.string();
const NON_EMPTY = z.string().min(1);
const MOMENT = z.iso.datetime({ precision: 0 });
const MOMENT_NOW = MOMENT.meta({ example: NOW });
const FLAG = z.boolean();
const INTEGER = z.int();
const NUMBER = z.number();

function showing<Schema extends z.ZodType>(schema: Schema, example: unknown): Schema {
  return example === undefined ? schema : schema.meta({ example });
}

/** The same for a schema that nothing else uses, without a copy. */
function newShowing<Schema extends z.ZodType>(schema: Schema, example: unknown): Schema {
  if (example !== undefined) z.globalRegistry.add(schema, { example });
  return schema;
}

/** The id of a kind of resource, such as `volume`. It is the same wherever an example shows that kind. */
export const id = once((kind: string) => NON_EMPTY.meta({ example: exampleId(kind) }));

/** Like `id`, and empty where the service does not say it. */
export const idOrEmpty = once((kind: string) => TEXT.meta({ example: exampleId(kind) }));

/** A text, which may be empty. */
export function text(example?: string) {
  return showing(TEXT, example);
}

export function nonEmptyText(example?: string) {
  return showing(NON_EMPTY, example);
}

/** In UTC, in seconds. */
export function timestamp(example: string | null = NOW) {
  return example === NOW ? MOMENT_NOW : showing(MOMENT, example ?? undefined);
}

/** A day in UTC. */
export function date(example: string) {
  return newShowing(z.iso.date(), example);
}

export function flag(example?: boolean) {
  return showing(FLAG, example);
}

export function integer(example?: number) {
  return showing(INTEGER, example);
}

export function number(example?: number) {
  return showing(NUMBER, example);
}

/** One of some values. The example shows the first one unless it has another. */
export function oneOf<const Value extends string | number>(
  values: readonly Value[],
  example?: NoInfer<Value> | null,
) {
  return newShowing(z.literal(values), example);
}

/** Like `oneOf`, with a name in the OpenAPI document: for values that several fields have. */
export function enumOf<const Value extends string | number>(
  name: string,
  values: readonly Value[],
  example?: NoInfer<Value> | null,
) {
  return withName(name, oneOf(values, example));
}

/** One of the keys of a record. The example shows the first one unless it has another. */
export function keyOf<Key extends string>(record: Readonly<Record<Key, unknown>>, example?: NoInfer<Key>) {
  return oneOf(Object.keys(record) as Key[], example);
}

/** A text of a set that the document does not list. */
export function textOf<Value extends string>(example?: Value): z.ZodType<Value> {
  return nonEmptyText(example) as unknown as z.ZodType<Value>;
}

/** An object whose content only the reader of the response understands. */
export function anyObject() {
  return z.record(z.string(), z.unknown());
}

/** An object of one of several kinds, which a field of all of them names. The example shows the first one. */
export function kindsBy<Kinds extends readonly [z.ZodObject, ...z.ZodObject[]]>(field: string, kinds: Kinds) {
  return z.discriminatedUnion(field, kinds);
}

/** A list shows one item. `example` shows others. */
export function listOf<Item extends z.ZodType>(item: Item, example?: readonly unknown[]) {
  return newShowing(z.array(item), example);
}

/** An object with any keys. */
export function mapOf<Value extends z.ZodType>(value: Value, example?: Record<string, unknown>) {
  return newShowing(z.record(TEXT, value), example);
}

/** The names of other resources, in the order of their ids in the field before. */
export function namesBeside(example?: string) {
  return listOf(text(example).nullable()).describe(
    'In the order of the ids; null for one that is not known.',
  );
}

/** Calls a function once for each argument. */
function once<Schema>(make: (kind: string) => Schema): (kind: string) => Schema {
  const made = new Map<string, Schema>();
  return (kind) => {
    const schema = made.get(kind) ?? make(kind);
    made.set(kind, schema);
    return schema;
  };
}
