const names = new Intl.Collator('en');

/**
 * Sorts by name, and rows with the same name by id, so that a page begins at the same row even if
 * rows were added elsewhere.
 */
export function sortedByName<Row extends { id: string; name: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => names.compare(a.name, b.name) || names.compare(a.id, b.id));
}
