export type Scalar = string | number | boolean | null;

/** How a filter compares: text that is contained, text that is equal, both in any case, or the same value. */
type Match = 'part' | 'text' | 'same';

export interface Filter {
  /**
   * The paths of the fields to search: `status`, or `attachments.server_id` for a field of the items of a
   * list.
   */
  fields: readonly string[];
  match: Match;
  value: Scalar;
}

export interface SortKey {
  field: string;
  isDescending: boolean;
}

/** What the rows of a list can be selected by. */
export interface RowFields {
  /** The field that identifies a row; null without one. */
  id: string | null;
  /** The paths of all fields that filters and sort keys may name. */
  paths: readonly string[];
}

/** Selects and orders rows of a list. */
export interface Selection {
  /** The same for equal selections. */
  key: string;
  rowFields: RowFields;
  /** A row has to match all of them. */
  filters: readonly Filter[];
  /** The first key counts most, and the id comes last. Without keys, the order of the list. */
  sort: readonly SortKey[];
  limit?: number | undefined;
  /** The id of the row after which to begin. */
  marker?: string | undefined;
}

/** What a selection leaves out of its rows. */
export interface SelectedPart {
  /** The number of rows that match, with those before the marker and beyond the limit. */
  total: number;
  /** The id of the last row, if more rows follow it. */
  nextMarker: string | null;
}
