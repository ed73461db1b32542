/** Filters of every list of the network service. An array matches any of its values. */
export type NetworkFilters = {
  id?: string | readonly string[];
  name?: string;
  project_id?: string;
  /** Comma-separated; matches resources with all of them. */
  tags?: string;
};
