/** A process of the container or the container infrastructure service. */
export interface ConductorRecord {
  id: number;
  binary: string;
  host: string;
  /** `up` or `down`. */
  state: string;
  disabled: boolean;
  disabled_reason: string | null;
  /** Only in the container service. */
  availability_zone?: string | null;
  updated_at: string | null;
}
