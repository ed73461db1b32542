/**
 * Options of an `LRUCache` that holds this number of entries. With its option `max`, a cache takes the memory
 * for all of them, and time to fill it, when it is created.
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
