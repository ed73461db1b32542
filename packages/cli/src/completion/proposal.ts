/** A word that continues what has been typed. */
export interface Proposal {
  value: string;
  description?: string | undefined;
}
