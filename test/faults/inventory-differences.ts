import type { Inventory } from '../support/cloudsim-control.ts';

/** Unexpected differences between two inventories. `expected` is the expected change by kind. */
export function differences(before: Inventory, after: Inventory, expected: Record<string, number>): string[] {
  const kinds = new Set([...before.keys(), ...after.keys(), ...Object.keys(expected)]);
  return [...kinds].flatMap((kind) => {
    const was = before.get(kind) ?? new Set();
    const is = after.get(kind) ?? new Set();
    const more = is.difference(was).size;
    const less = was.difference(is).size;
    const wanted = expected[kind] ?? 0;
    if (more === Math.max(wanted, 0) && less === Math.max(-wanted, 0)) return [];
    return [`${kind} +${more} -${less}${wanted === 0 ? '' : ` for ${wanted}`}`];
  });
}
