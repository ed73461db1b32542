import { exampleId } from '@gateway/core/shapes';
import type { Json } from '../json-schema.ts';
import { fieldValues, names, plainValue } from './field-values.ts';
import { kindOf } from './ids.ts';

/** The named schemas: their JSON Schema, and what their declarations say about their example. */
export interface NamedSchemas {
  schemaOf(name: string): Json;
  exampleOf(name: string): Json;
}

/**
 * Builds examples of schemas: the example in the declaration of a schema, completed with the usual values of
 * its other required fields.
 */
export class ExampleBuilder {
  readonly #schemas: NamedSchemas;

  constructor(schemas: NamedSchemas) {
    this.#schemas = schemas;
  }

  /** @throws when a required field has no value to show */
  build(schema: Json, kind: string, given?: unknown): unknown {
    return this.#value(schema, '', kind, given);
  }

  /** The value of one field, such as a parameter. */
  field(name: string, schema: Json, kind: string, given?: unknown): unknown {
    return this.#value(schema, name, kind, given);
  }

  #value(schema: Json, field: string, kind: string, given?: unknown): unknown {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
      const named = this.#schemas.schemaOf(name);
      if (named.enum !== undefined)
        return this.#value({ ...named, ...schema, $ref: undefined }, field, kind, given);
      const example = { ...this.#schemas.exampleOf(name), ...(given as Json | undefined) };
      return this.#value(named, field, kindOf(name), example);
    }
    if (given === null) return null;
    const [alternative] = (schema.anyOf ?? []) as Json[];
    if (alternative !== undefined) return this.#value(alternative, field, kind, given);
    if (schema.properties !== undefined) return this.#object(schema, kind, (given ?? {}) as Json);
    if (hasType(schema, 'array')) return this.#array(schema, field, kind, given as unknown[] | undefined);
    return given ?? schema.const ?? this.#scalar(schema, field, kind);
  }

  #object(schema: Json, kind: string, given: Json): Json {
    const properties = schema.properties as Record<string, Json>;
    const required = (schema.required ?? []) as string[];
    const shown = Object.keys(properties).filter((name) => required.includes(name) || name in given);
    return Object.fromEntries(
      shown.map((name) => [name, this.#value(properties[name] as Json, name, kind, given[name])]),
    );
  }

  #array(schema: Json, field: string, kind: string, given: unknown[] = [undefined]): unknown[] {
    const values = fieldValues[field];
    if (Array.isArray(values) && given[0] === undefined && given.length === 1) return values;
    const items = (schema.items ?? {}) as Json;
    const one = singular(field === 'items' ? kind : field);
    return given.map((item) => this.#value(items, one, one, item));
  }

  #scalar(schema: Json, field: string, kind: string): unknown {
    const allowed = schema.enum as unknown[] | undefined;
    const usual = field === 'name' ? names[kind] : fieldValues[field];
    if (allowed !== undefined) return allowed.includes(usual) ? usual : allowed[0];
    if (usual !== undefined && isOfType(usual, schema)) return usual;
    if (hasType(schema, 'string')) {
      if (field.endsWith('_id')) return exampleId(field.slice(0, -'_id'.length));
      if (['id', 'marker', '', kind].includes(field)) return exampleId(kind);
    }
    if (schema.type === 'object' || schema.additionalProperties !== undefined) return {};
    const value = plainValue(schema);
    if (value === undefined) throw new Error(noExample(kind, field));
    return value;
  }
}

function singular(field: string): string {
  return field.replace(/ies$/, 'y').replace(/s$/, '');
}

function hasType({ type }: Json, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}

function isOfType(value: unknown, schema: Json): boolean {
  if (value === null) return hasType(schema, 'null');
  if (typeof value === 'number') return hasType(schema, 'number') || hasType(schema, 'integer');
  return hasType(schema, typeof value);
}

function noExample(kind: string, field: string): string {
  const where = `in the \`example\` of its schema or of its endpoint, or in openapi/examples/field-values.ts`;
  return `The OpenAPI document has no example for the field ${field} of ${kind}: please give one, ${where}.`;
}
