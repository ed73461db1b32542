import type { ServiceName } from '@gateway/platform';
import { z } from 'zod';
import { otherNameOf } from './fields.ts';

/** Fields by their name, with the name under which some services send them. */
type OtherNames = Readonly<Record<string, string>>;

/** Reads what a service sends as one kind of record. */
export class RecordReader<T> {
  /** Unique within its service: a label of a metric. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly otherNames: OtherNames;

  constructor(name: string, schema: z.ZodType<T>, otherNames: OtherNames = {}) {
    this.name = name;
    this.schema = schema;
    this.otherNames = otherNames;
  }

  /** Null for what cannot be a record, because it lacks a key. */
  read(sent: unknown): T | null {
    const { success, data } = this.schema.safeParse(renamed(sent, this.otherNames));
    return success ? data : null;
  }

  /** Reads records that are each under this key of an object. */
  under(key: string): RecordReader<T> {
    const wrapped = z.object({ [key]: this.schema }).transform((object) => object[key] as T);
    return new RecordReader(this.name, wrapped);
  }
}

/** The object with the fields that it only has under another name. */
function renamed(sent: unknown, otherNames: OtherNames): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  const object = sent as Record<string, unknown>;
  const missing = Object.entries(otherNames).filter(([name]) => (object[name] ?? null) === null);
  if (missing.length === 0) return sent;
  return { ...object, ...Object.fromEntries(missing.map(([name, other]) => [name, object[other]])) };
}

/** The declaration of a record: its fields, and what stands for those that a service does not send. */
export class RecordDeclaration<T> extends RecordReader<T> {
  readonly services: readonly ServiceName[];
  readonly fields: z.ZodRawShape;
  readonly #parts = new Map<string, RecordReader<unknown>>();

  constructor(services: readonly ServiceName[], name: string, fields: z.ZodRawShape) {
    const otherNames = Object.entries(fields).flatMap(([field, shape]) => {
      const other = otherNameOf(shape as z.ZodType);
      return other === undefined ? [] : [[field, other] as const];
    });
    super(name, z.object(fields) as unknown as z.ZodType<T>, Object.fromEntries(otherNames));
    this.services = services;
    this.fields = fields;
  }

  /** Reads records of which only these fields were asked for. */
  only<Field extends keyof T & string>(fields: readonly Field[]): RecordReader<Pick<T, Field>> {
    const id = fields.join();
    const known = this.#parts.get(id);
    if (known !== undefined) return known as RecordReader<Pick<T, Field>>;
    const picked = Object.fromEntries(fields.map((field) => [field, this.fields[field] as z.ZodType]));
    const schema = z.object(picked) as unknown as z.ZodType<Pick<T, Field>>;
    const reader = new RecordReader(this.name, schema, this.otherNames);
    this.#parts.set(id, reader);
    return reader;
  }

  /** The fields to ask the service for, under all of their names. */
  asked(fields: readonly string[]): string[] {
    return fields.flatMap((field) => [field, this.otherNames[field] ?? []].flat());
  }
}

/** The type of the records of a declaration. */
export type RecordOf<Reader> = Reader extends RecordReader<infer T> ? T : never;

const declared = new Map<string, RecordDeclaration<unknown>>();

/**
 * Declares a record of a service, or one that several services send in the same form.
 *
 * @param fields from `fields.ts`. At least one is a `key()`, unless the record is the only one of its kind
 */
export function declareRecord<Fields extends z.ZodRawShape>(
  service: ServiceName | readonly ServiceName[],
  name: string,
  fields: Fields,
): RecordDeclaration<z.output<z.ZodObject<Fields>>> {
  const declaration = new RecordDeclaration<z.output<z.ZodObject<Fields>>>([service].flat(), name, fields);
  for (const each of declaration.services) {
    const id = `${each}/${name}`;
    if (declared.has(id)) throw new Error(`The record ${id} is declared twice.`);
    declared.set(id, declaration);
  }
  return declaration;
}

/** The declarations of all records that the clients of the services read. */
export function declaredRecords(): readonly RecordDeclaration<unknown>[] {
  return [...new Set(declared.values())];
}
