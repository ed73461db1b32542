/** The maximum time that a slice blocks the event loop. */
const SLICE_MS = 5;
/** Fewer items than this take less than a slice. */
const MANY_ITEMS = 500;
/** The number of items between two reads of the clock. */
const ITEMS_PER_CHECK = 16;

interface Waiting {
  order: number;
  start: () => void;
}

/** Work that waits for its next slice. There is one list because the process has one event loop. */
const waiting: Waiting[] = [];
let worksBegun = 0;

/**
 * Splits long work into slices: call `pause` between its parts. Each iteration of the event loop runs one
 * slice, since slices of concurrent work would add up. The work that began first continues first, so that few
 * results are half done, and in memory, at once.
 */
export class Slices {
  readonly #order = worksBegun++;
  #end = 0;

  /** Waits for the next slice when the current one is over. The first part of the work always waits. */
  async pause(): Promise<void> {
    if (performance.now() < this.#end) return;
    await new Promise<void>((start) => {
      waiting.push({ order: this.#order, start });
      if (waiting.length === 1) setImmediate(startNext);
    });
    this.#end = performance.now() + SLICE_MS;
  }
}

function startNext(): void {
  const oldest = Math.min(...waiting.map(({ order }) => order));
  const index = waiting.findIndex(({ order }) => order === oldest);
  const [next] = waiting.splice(index, 1);
  next?.start();
  if (waiting.length > 0) setImmediate(startNext);
}

/** Like `items.map`, in slices if there are many items. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  if (items.length < MANY_ITEMS) return items.map((item) => map(item));
  const slices = new Slices();
  const mapped: R[] = [];
  for (let start = 0; start < items.length; start += ITEMS_PER_CHECK) {
    await slices.pause();
    for (const item of items.slice(start, start + ITEMS_PER_CHECK)) mapped.push(map(item));
  }
  return mapped;
}
