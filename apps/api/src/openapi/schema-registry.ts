import type { Schema } from 'joi';

type Json = Record<string, unknown>;

/**
 * Converts Joi schemas to JSON Schema. A schema with a name (`.meta({ name })`) becomes a component with references to it.
 * Other schemas are inlined.
 */
export class SchemaRegistry {
  readonly #components = new Map<string, Json>();

  refer(schema: Schema): Json {
    const name = nameOf(schema);
    if (name !== undefined) {
      if (!this.#components.has(name)) this.#components.set(name, this.inline(schema));
      return { $ref: `#/components/schemas/${name}` };
    }
    const item = namedItem(schema);
    return item === null ? this.inline(schema) : { type: 'array', items: this.refer(item) };
  }

  inline(schema: Schema): Json {
    return corrected(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })) as Json;
  }

  components(): Record<string, Json> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => a.localeCompare(b)));
  }
}

/**
 * Allows additional properties: unknown fields of a request are ignored, and responses may get new fields. Adds null to the
 * values of a field that may be null: Joi tells it with the type only.
 */
function corrected(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(corrected);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, enum: values } = schema as Json;
  const lacksNull =
    Array.isArray(values) && Array.isArray(type) && type.includes('null') && !values.includes(null);
  return Object.fromEntries(
    Object.entries(lacksNull ? { ...schema, enum: [...values, null] } : schema)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, corrected(value)]),
  );
}

function nameOf(schema: Schema): string | undefined {
  const { metas = [] } = schema.describe() as { metas?: { name?: string }[] };
  return metas.find((meta) => meta.name !== undefined)?.name;
}

/** The item schema of an array whose items all have one named schema. */
function namedItem(schema: Schema): Schema | null {
  if (schema.type !== 'array') return null;
  const items = (schema as Schema & { $_terms: { items?: Schema[] } }).$_terms.items ?? [];
  const [item] = items;
  return items.length === 1 && item !== undefined && nameOf(item) !== undefined ? item : null;
}
