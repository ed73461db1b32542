import type { Filter, Selection, SortKey } from '@gateway/cache';
import { fieldsOf, type Shape, typeOf } from '@gateway/core/shapes';
import Joi, { type CustomHelpers, type Schema } from 'joi';
import { namedIdField } from '../http/schemas/fields.ts';

/** What a list declares about the selection of its rows. The rest follows from the shape of a row. */
export interface RowsDeclaration {
  /**
   * The field that identifies a row: `id` by default, or `name` in rows without one; null if no field does,
   * which leaves out the paging.
   */
  id?: string | null;
  /**
   * Filters besides those on `name`, `status`, booleans and ids in a row, and the paths that they search,
   * such as `instance_id: ['attachments.server_id']`.
   */
  filters?: Record<string, readonly [string, ...string[]]>;
}

/** The parameters by which a client selects and orders rows of a list, and what they mean. */
export interface ListRows {
  /** Their schemas, by name. */
  parameters: Record<string, Schema>;
  /** The paths that each filter searches, by the name of its parameter. */
  filters: ReadonlyMap<string, readonly string[]>;
  /** The field that identifies a row; null without one. */
  id: string | null;
  /** Null if the query has none of them. */
  selectionOf(query: unknown): Selection | null;
}

interface SelectingQuery {
  sort?: SortKey[];
  limit?: number;
  marker?: string;
}

const MAX_LIMIT = 1000;
const MAX_LENGTH = 255;
const SORTABLE = ['string', 'number', 'boolean'];

/**
 * Derives the parameters of a list from the shape of its rows, without those that the endpoint has already.
 * @throws for a path that the shape lacks
 */
export function listRows(
  shape: Shape<unknown>,
  { id: declaredId, filters: declared = {} }: RowsDeclaration,
  existing: ReadonlySet<string>,
): ListRows {
  const fields = fieldsOf(shape);
  const id = declaredId === undefined ? (fields.has('id') ? 'id' : 'name') : declaredId;
  if (id !== null) schemaAt(shape, id);
  const usual = [...fields].filter(([name, schema]) => isUsualFilter(name, schema)).map(([name]) => name);
  const filters = new Map<string, readonly string[]>([
    ...usual.map((name): [string, string[]] => [name, [name]]),
    ...Object.entries(declared),
  ]);
  for (const name of existing) filters.delete(name);
  const sortable = [...fields].filter(([, field]) => SORTABLE.includes(typeOf(field))).map(([name]) => name);
  const rowFields = { id, paths: [...new Set([...[...filters.values()].flat(), ...sortable])] };
  return {
    id,
    filters,
    parameters: {
      ...(id !== null && pagingFields(id)),
      sort: sortField(sortable),
      ...Object.fromEntries([...filters].map(([name, paths]) => [name, filterField(shape, name, paths)])),
    },
    selectionOf(query) {
      const { limit, marker, sort = [] } = query as SelectingQuery;
      const values = query as Record<string, Filter['value'] | undefined>;
      const wanted: Filter[] = [];
      for (const [name, fields] of filters) {
        const value = values[name];
        if (value !== undefined) wanted.push({ fields, match: matchOf(name, value), value });
      }
      if (wanted.length + sort.length === 0 && limit === undefined && marker === undefined) return null;
      const key = JSON.stringify([wanted, sort, limit, marker]);
      return { key, rowFields, filters: wanted, sort, limit, marker };
    },
  };
}

function isUsualFilter(name: string, field: Shape<unknown>): boolean {
  const type = typeOf(field);
  return type === 'boolean' || (type === 'string' && (name === 'name' || name === 'status' || isId(name)));
}

function isId(name: string): boolean {
  return name.endsWith('_id');
}

function matchOf(name: string, value: Filter['value']): Filter['match'] {
  if (name === 'name') return 'part';
  return typeof value === 'string' && !isId(name) ? 'text' : 'same';
}

function filterField(shape: Shape<unknown>, name: string, paths: readonly string[]): Schema {
  const [type] = paths.map((path) => typeOf(schemaAt(shape, path)));
  const field = paths.map((path) => `\`${path}\``).join(' or ');
  if (type === 'boolean') return Joi.boolean().description(`Only rows whose ${field} is this.`);
  if (isId(name)) return namedIdField(name).description(`Only rows whose ${field} is this id.`);
  const meaning = name === 'name' ? 'contains this text' : 'is this text';
  return Joi.string().min(1).max(MAX_LENGTH).description(`Only rows whose ${field} ${meaning}, in any case.`);
}

function pagingFields(id: string) {
  return {
    limit: Joi.number()
      .integer()
      .min(1)
      .max(MAX_LIMIT)
      .description('Maximum number of rows; all rows by default.'),
    marker: Joi.string()
      .min(1)
      .max(MAX_LENGTH)
      .description(`The \`${id}\` of the last row of the previous page.`),
  };
}

/** The schema at a path, which may lead through lists. */
function schemaAt(shape: Shape<unknown>, path: string): Shape<unknown> {
  return path.split('.').reduce<Shape<unknown>>((schema, name) => {
    const field = fieldsOf(schema).get(name);
    if (field === undefined)
      throw new Error(`The rows of a list have no field ${path}, which its \`rows\` needs.`);
    return field;
  }, shape);
}

/** A parameter that orders rows by these fields: `status,created_at:desc`. Its value is `SortKey[]`. */
function sortField(fields: readonly string[]) {
  const names = fields.join(', ');
  return Joi.string()
    .max(MAX_LENGTH)
    .custom((text: string, helpers: CustomHelpers): SortKey[] | Joi.ErrorReport => {
      const keys = text.split(',').map(parseKey);
      const areKnown = keys.every((key) => key !== null && fields.includes(key.field));
      if (areKnown) return keys as SortKey[];
      return helpers.message({
        custom: `must be some of these fields, each with or without :desc: ${names}`,
      });
    })
    .description(
      `The order of the rows: some of the fields ${names}, separated by commas, each with \`:desc\` for the descending order.`,
    )
    .meta({ example: () => (fields.includes('created_at') ? 'created_at:desc' : fields[0]) });
}

function parseKey(text: string): SortKey | null {
  const [field = '', direction = 'asc', ...rest] = text.split(':');
  if (rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) return null;
  return { field, isDescending: direction === 'desc' };
}
