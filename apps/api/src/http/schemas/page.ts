import Joi from 'joi';
import { idField, shape } from './fields.ts';

/** What a list that is given in pages is asked for. */
export interface PageQuery {
  limit: number;
  marker?: string;
}

/** For the query of such a list. */
export const pageQuery = {
  limit: Joi.number().integer().min(1).max(100).default(20).description('Most items of a page.'),
  marker: idField().description('Id of the last item of the page before.'),
};

/** The page envelope around items of a shape. */
export function pageShape(name: string, item: Joi.Schema) {
  return shape(name, {
    items: Joi.array().items(item),
    next_marker: Joi.string().allow(null).description('Leads to the next page; null on the last one.'),
    count: Joi.number().integer().description('Items in this page.'),
  });
}

export interface Page<Item> {
  items: Item[];
  next_marker: string | null;
  count: number;
}

export function presentPage<Item extends { id: string }>(items: Item[], hasMore: boolean): Page<Item> {
  return { items, next_marker: hasMore ? (items.at(-1)?.id ?? null) : null, count: items.length };
}
