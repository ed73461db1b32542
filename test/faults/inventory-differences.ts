import type { Inventory } from '../support/clients/cloudsim-control.ts';

/**
 * The increase or, if negative, the decrease of the number of resources of a kind; or the numbers of added
 * and removed resources.
 */
export type Change = number | readonly [more: number, less: number];

/** Unexpected differences between two inventories. `expected` is the expected change by kind. */
export function differences(before: Inventory, after: Inventory, expected: Record<string, Change>): string[] {
  const kinds = new Set([...before.keys(), ...after.keys(), ...Object.keys(expected)]);
  return [...kinds].flatMap((kind) => {
    const was = before.get(kind) ?? new Set();
    const is = after.get(kind) ?? new Set();
    const more = is.difference(was).size;
    const less = was.difference(is).size;
    const wanted = expected[kind] ?? 0;
    const [wantedMore, wantedLess] =
      typeof wanted === 'number' ? [Math.max(wanted, 0), Math.max(-wanted, 0)] : wanted;
    if (more === wantedMore && less === wantedLess) return [];
    return [`${kind} +${more} -${less}${wanted === 0 ? '' : ` for ${wanted}`}`];
  });
}

/**
 * The existing rights. Replaces them by those before the case, unless a kind has more new
 * ones than `sweptJobs`.
 */
export function keptRights(before: Inventory, rights: Inventory, sweptJobs: number): Inventory {
  return new Map(
    [...rights].map(([kind, is]) => {
      const was = before.get(kind) ?? new Set();
      return [kind, is.difference(was).size <= sweptJobs ? was : is];
    }),
  );
}
