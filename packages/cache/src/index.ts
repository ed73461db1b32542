export * from './compress.ts';
export { type CachedBody, serialize } from './entry.ts';
export * from './keys.ts';
export * from './list-cache.ts';
export type { LoadOptions } from './load-options.ts';
export { columnsOf } from './rows/columns.ts';
export { selectRows } from './rows/select-rows.ts';
export type { Filter, SelectedPart, Selection, SortKey } from './rows/selection.ts';
export type { RowInTransition } from './rows-in-transition.ts';
