import type { VolumeAttachment, VolumeRecord } from './volumes.ts';

/** Null if it is not known whether the volume is in use: neither its attachments nor its state say it. */
export function attachmentsOf({
  attachments,
  status,
}: Pick<VolumeRecord, 'attachments' | 'status'>): VolumeAttachment[] | null {
  return attachments ?? (status === 'available' ? [] : null);
}

/** What a volume is attached to, within a sentence. */
export function describeAttached({
  host_name,
  server_id,
}: Pick<VolumeAttachment, 'host_name' | 'server_id'>): string {
  if (server_id !== null) return `the instance ${server_id}`;
  return host_name === null ? 'a host' : `the host ${host_name}`;
}
