import { integer, listOf, nonEmptyText, type Shape, shapeLike } from '@gateway/core/shapes';
import Joi from 'joi';
import { chosenIdField } from './fields.ts';

/** The query of a paginated list. */
export interface PageQuery {
  limit: number;
  marker?: string;
}

/** Schema fields of `PageQuery`. */
export const pageQuery = {
  limit: Joi.number().integer().min(1).max(100).default(20).description('Maximum number of items in a page.'),
  marker: chosenIdField().description('Id of the last item of the previous page.'),
};

/**
 * The page envelope around items of a shape. `example` returns fields of the item in its example (`shape`).
 */
export function pageShape<Item>(name: string, item: Shape<Item>, example?: () => object) {
  return shapeLike<Page<Item>>(name, pageFields(item), example && (() => ({ items: [example()] })));
}

/** The fields of the envelope. */
export function pageFields<Item>(item: Shape<Item>) {
  return {
    items: listOf(item),
    next_marker: nonEmptyText().nullable().describe('The marker of the next page; null on the last page.'),
    count: integer().describe('Number of items in this page.'),
  };
}

export interface Page<Item> {
  items: Item[];
  next_marker: string | null;
  count: number;
}

export function presentPage<Item extends { id: string }>(items: Item[], hasMore: boolean): Page<Item> {
  return { items, next_marker: hasMore ? (items.at(-1)?.id ?? null) : null, count: items.length };
}
