import type { Schema } from 'joi';

/** The parts of a schema, which Joi does not export. Its description of a schema takes much longer. */
type Terms = Schema & {
  $_terms: {
    keys?: { key: string; schema: Schema }[] | null;
    items?: Schema[] | null;
    patterns?: { rule: Schema }[] | null;
    /** What was given to `.meta()`. */
    metas?: object[] | null;
  };
};

export function termsOf(schema: Schema): Terms['$_terms'] {
  return (schema as Terms).$_terms;
}

/** The fields of an object, or of the items of a list, by name. */
export function fieldsOf(schema: Schema): Map<string, Schema> {
  const item = itemOf(schema) ?? schema;
  return new Map((termsOf(item).keys ?? []).map((field) => [field.key, field.schema]));
}

/** The schema of the items of a list; undefined if the schema is not that of a list of one kind of items. */
export function itemOf(schema: Schema): Schema | undefined {
  const { items } = termsOf(schema);
  return schema.type === 'array' && items?.length === 1 ? items[0] : undefined;
}
