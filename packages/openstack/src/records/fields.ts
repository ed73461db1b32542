import { z } from 'zod';

/**
 * The fields of records. Each says what stands for a value that is absent, null or of another type, so that
 * such a value costs itself and not its record. The last argument is what stands for it.
 */

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

const number = z.union([z.number(), z.string().regex(NUMBER).transform(Number)]);
const integer = z.union([z.int(), z.string().regex(NUMBER).transform(Number).pipe(z.int())]);

/** Without it a record is none: an id, or what else distinguishes the rows of a list. */
export function key() {
  return z.string().min(1);
}

/** A field that some services only send under another name. */
export function alsoNamed<Field extends z.ZodType>(otherName: string, field: Field): Field {
  return field.meta({ otherName });
}

export function otherNameOf(field: z.ZodType): string | undefined {
  return field.meta()?.otherName as string | undefined;
}

/** The id of something else, or its address. Null also for an empty text. */
export function idOrNull() {
  return key().nullable().catch(null);
}

/** With a stand-in, it also stands for an empty text. */
export function text(otherwise = '') {
  const known = otherwise === '' ? z.string() : z.string().min(1);
  return known.catch(otherwise);
}

export function textOrNull() {
  return z.string().nullable().catch(null);
}

/** Null if the service does not say it. What it says to be null is empty. */
export function saidText() {
  const said: z.ZodType<string | null, string | null> = z.string().or(z.null().transform(() => ''));
  return said.catch(null);
}

/** What a service does not say, where null says something. */
const UNSAID = 'unknown';

/** Where null says something, such as "free" or "for all": an absent or odd value must not say the same. */
export function textOrNone() {
  return z.string().min(1).nullable().catch(UNSAID);
}

/** Like `textOrNone`, of a field that services without an extension do not send. */
export function extensionText() {
  return z.string().min(1).nullable().default(null).catch(UNSAID);
}

export function flag(otherwise: boolean) {
  return z.boolean().catch(otherwise);
}

/** Where it matters whether the service says it at all. */
export function flagOrNull() {
  return z.boolean().nullable().catch(null);
}

/** Some services send numbers as texts. */
export function integerOr(otherwise: number) {
  return integer.catch(otherwise);
}

export function integerOrNull() {
  return integer.nullable().catch(null);
}

/** Like `textOrNone`: `otherwise` stands for an absent or odd value. */
export function integerOrNone(otherwise: number) {
  return integer.nullable().catch(otherwise);
}

export function numberOr(otherwise: number) {
  return number.catch(otherwise);
}

export function numberOrNull() {
  return number.nullable().catch(null);
}

/** An object that is part of a record. Without it, each of its fields is as if it were absent. */
export function part<Fields extends z.ZodRawShape>(fields: Fields) {
  const schema = z.object(fields);
  return schema.catch(() => schema.parse({}));
}

/** An object that is part of a record, and null without it or without one of its keys. */
export function partOrNull<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields).nullable().catch(null);
}

/** Items that cannot be read are left out. Items are texts, or objects with at least one key. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(orNothing(item))
    .catch(() => [])
    .transform(present<z.output<Item>>);
}

/** Like `listOf`, where a list without items says something else than no list. */
export function listOrNull<Item extends z.ZodType>(item: Item) {
  return z
    .array(orNothing(item))
    .nullable()
    .catch(null)
    .transform((items) => items && present<z.output<Item>>(items));
}

/** Like `extensionText`: a list that restricts, and null for no restriction. An odd list allows nothing. */
export function extensionList<Item extends z.ZodType>(item: Item) {
  return z
    .array(orNothing(item))
    .nullable()
    .default(null)
    .catch(() => [])
    .transform((items) => items && present<z.output<Item>>(items));
}

/** An item of a list. */
export function item<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields);
}

/** An object with any keys. Values that cannot be read are left out. */
export function mapOf<Value extends z.ZodType>(value: Value) {
  return z
    .record(z.string(), orNothing(value))
    .catch(() => ({}))
    .transform(presentEntries<z.output<Value>>);
}

/** Like `mapOf`, where an empty object says something else than none. */
export function mapOrNull<Value extends z.ZodType>(value: Value) {
  return z
    .record(z.string(), orNothing(value))
    .nullable()
    .catch(null)
    .transform((map) => map && presentEntries<z.output<Value>>(map));
}

/** An object whose content only the reader of the answer understands. */
export function anyObjectOrNull() {
  return z.record(z.string(), z.unknown()).nullable().catch(null);
}

function orNothing<Value extends z.ZodType>(value: Value) {
  return value.optional().catch(undefined);
}

function present<T>(items: readonly unknown[]): T[] {
  const isComplete = !items.includes(undefined);
  return (isComplete ? items : items.filter((each) => each !== undefined)) as T[];
}

function presentEntries<T>(map: Record<string, unknown>): Record<string, T> {
  for (const name of Object.keys(map)) if (map[name] === undefined) delete map[name];
  return map as Record<string, T>;
}
