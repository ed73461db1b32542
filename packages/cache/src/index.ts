export * from './compress.ts';
export { type CachedBody, serialize } from './entry.ts';
export type { LoadOptions } from './entry-loads.ts';
export * from './keys.ts';
export * from './list-cache.ts';
export type { RowInTransition } from './rows-in-transition.ts';
export {
  columnsOf,
  type Filter,
  type SelectedPart,
  type Selection,
  type SortKey,
  selectRows,
} from './select-rows.ts';
