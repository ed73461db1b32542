import { columnsOf, selectRows } from '@gateway/cache';
import { integer, type Shape, shapeLike } from '@gateway/core/shapes';
import type Joi from 'joi';
import type { SchemaMap } from 'joi';
import { type Page, type PageQuery, pageFields, pageQuery, presentPage } from '../http/schemas/page.ts';
import { type ListQuery, listQuery } from './cached-list.ts';
import { listRows, type RowsDeclaration } from './list-rows.ts';

/** A page of rows that are all known. */
interface SelectedPage<Row> extends Page<Row> {
  total: number;
}

/**
 * Pages of a list that its service does not paginate: their shape, and the query that selects and orders its
 * rows as that of an array does.
 *
 * @param search further parameters, which the handler answers itself
 */
export function selectedPages<Row extends { id: string }, Search>(
  name: string,
  row: Shape<Row>,
  search: SchemaMap<Search, true>,
  declaration: RowsDeclaration = {},
) {
  const rows = listRows(row, declaration, new Set(Object.keys(search)));
  const query = listQuery.keys({ ...rows.parameters, ...pageQuery, ...search } as SchemaMap<ListQuery>);
  return {
    query: query as unknown as Joi.ObjectSchema<ListQuery & PageQuery & Search>,
    shape: shapeLike<SelectedPage<Row>>(name, {
      ...pageFields(row),
      total: integer().describe('Number of items in all pages.'),
    }),
    /** @throws 400 for an unknown marker */
    pageOf(all: readonly Row[], wanted: PageQuery): SelectedPage<Row> {
      const selection = rows.selectionOf(wanted);
      if (selection === null) throw new Error('Each query has a limit.');
      const found = selectRows(columnsOf(all), selection);
      const items = found.rows.map((at) => all[at] as Row);
      return { ...presentPage(items, found.nextMarker !== null), total: found.total };
    },
  };
}
