/** Filters for every list of the network service. An array matches any of its values. */
export type NetworkFilters = {
  id?: string | readonly string[];
  name?: string;
  project_id?: string | readonly string[];
  /** Comma-separated. Matches resources with all of these tags. */
  tags?: string;
};
