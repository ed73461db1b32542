/** A quota of a project, as compute and block storage report it. */
export interface QuotaUsage {
  /** -1 is unlimited. */
  limit: number;
  in_use: number;
  /** Reserved by requests in progress. */
  reserved: number;
}
