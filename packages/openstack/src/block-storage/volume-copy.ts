/** The common fields of snapshots and backups. */
export interface VolumeCopyRecord {
  id: string;
  status: string;
  /** The volume's size in GiB. */
  size: number;
  name: string | null;
  description: string | null;
  volume_id: string;
  created_at: string;
  updated_at: string | null;
  metadata: Record<string, string>;
}

export interface VolumeCopyCreate {
  volume_id: string;
  name?: string;
  description?: string;
  /** Required for a volume that is in use. */
  force?: boolean;
  metadata?: Record<string, string>;
}
