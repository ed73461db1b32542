import { nameOf, type Shape, toJsonSchema as toShapeSchema } from '@gateway/core/shapes';
import { type ActionTable, actionTableOf } from '@gateway/resources/shapes';
import type { Schema } from 'joi';
import { termsOf } from '../http/schemas/schema-parts.ts';
import type { NamedSchemas } from './examples/example-builder.ts';
import { type Json, toJsonSchema } from './json-schema.ts';

/**
 * Converts the schemas of requests, which are Joi's, and the shapes of responses to JSON Schema. One with a
 * name (`.meta({ name })`, `shape(name, …)`) becomes a component with references to it, wherever it occurs.
 * Others are inlined.
 */
export class SchemaRegistry implements NamedSchemas {
  readonly #components = new Map<string, Json>();
  readonly #examples = new Map<string, () => unknown>();
  /** The actions on the rows of responses, by resource. */
  readonly actions = new Map<ActionTable['resource'], ActionTable['rules']>();

  /** @throws when another schema has the same name */
  refer(schema: Schema): Json {
    return this.#refer(schema, toJsonSchema(schema));
  }

  referShape(shape: Shape<unknown>): Json {
    const json = toShapeSchema(shape, (part) => this.referShape(part));
    const table = actionTableOf(shape);
    if (table !== undefined) {
      this.actions.set(table.resource, table.rules);
      json['x-resource'] = table.resource;
    }
    const name = nameOf(shape);
    if (name === undefined) return json;
    const { description, ...rest } = json;
    this.#register(name, rest);
    return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
  }

  inline(schema: Schema): Json {
    return this.#withReferences(schema, toJsonSchema(schema));
  }

  schemaOf(name: string): Json {
    return this.#components.get(name) ?? {};
  }

  /** The example in the declaration of a schema without a name. */
  givenExample(schema: Schema): unknown {
    const { name, example } = metaOf(schema);
    return name === undefined ? example?.() : undefined;
  }

  exampleOf(name: string): Json {
    return (this.#examples.get(name)?.() ?? {}) as Json;
  }

  components(): Record<string, Json> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => a.localeCompare(b)));
  }

  #refer(schema: Schema, json: Json): Json {
    const { name, example, contentMediaType } = metaOf(schema);
    if (name === undefined)
      return { ...this.#withReferences(schema, json), ...(contentMediaType && { contentMediaType }) };
    if (example !== undefined) this.#examples.set(name, example);
    const { description, default: usual, ...rest } = this.#withReferences(schema, json);
    const isNullable = Array.isArray(rest.type) && rest.type.includes('null');
    this.#register(name, isNullable ? withoutNull(rest) : rest);
    const reference = { $ref: `#/components/schemas/${name}` };
    return {
      ...(isNullable ? { anyOf: [reference, { type: 'null' }] } : reference),
      ...(description !== undefined && { description }),
      ...(typeof usual === 'string' && { default: usual }),
    };
  }

  #register(name: string, json: Json): void {
    const known = this.#components.get(name);
    if (known === undefined) this.#components.set(name, json);
    else if (JSON.stringify(known) !== JSON.stringify(json))
      throw new Error(`Two schemas are named ${name}.`);
  }

  /** Replaces the parts that have a name. */
  #withReferences(schema: Schema, json: Json): Json {
    const { keys, items, patterns } = termsOf(schema);
    const properties = { ...(json.properties as Record<string, Json> | undefined) };
    for (const { key, schema: part } of keys ?? []) {
      const property = properties[key];
      if (property !== undefined) properties[key] = this.#refer(part, property);
    }
    const [item, pattern] = [only(items), only(patterns)];
    return {
      ...json,
      ...(json.properties !== undefined && { properties }),
      ...(item && isSchema(json.items) && { items: this.#refer(item, json.items) }),
      ...(pattern &&
        isSchema(json.additionalProperties) && {
          additionalProperties: this.#refer(pattern.rule, json.additionalProperties),
        }),
    };
  }
}

/** The metadata of a schema, set with `.meta()`. */
interface SchemaMeta {
  /** The name of the component. */
  name?: string;
  /** Fields whose example values differ from the usual ones. Called when the document is generated. */
  example?: () => unknown;
  /** Of a text that usually comes from a file. Joi has no such rule. */
  contentMediaType?: string;
}

function metaOf(schema: Schema): SchemaMeta {
  return Object.assign({}, ...(termsOf(schema).metas ?? []));
}

function withoutNull(json: Json): Json {
  const types = (json.type as string[]).filter((type) => type !== 'null');
  const values = json.enum as unknown[] | undefined;
  return {
    ...json,
    type: types.length === 1 ? types[0] : types,
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}

function only<T>(values: readonly T[] | null | undefined): T | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
