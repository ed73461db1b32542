/** A quota of a project in compute and block storage. */
export interface QuotaUsage {
  /** -1 is unlimited. */
  limit: number;
  in_use: number;
  /** Reserved by requests in progress. */
  reserved: number;
}
