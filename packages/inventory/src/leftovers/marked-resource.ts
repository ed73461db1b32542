import {
  CLUSTER_METADATA_KEY,
  isKept,
  JOB_METADATA_KEY,
  ownerInDescription,
  toTimestamp,
} from '@gateway/core';
import {
  attachmentsOf,
  type BackupRecord,
  describeAttached,
  type FloatingIpRecord,
  type PortRecord,
  type SecurityGroupRecord,
  type ServerRecord,
  type ShareRecord,
  type VolumeRecord,
} from '@gateway/openstack';

/** The types of resources that can be removed as leftovers, with their names in jobs. */
export const LEFTOVER_TYPES = [
  'server',
  'volume',
  'backup',
  'share',
  'port',
  'floating_ip',
  'security_group',
] as const;

export type LeftoverType = (typeof LEFTOVER_TYPES)[number];

export function isLeftoverType(type: string): type is LeftoverType {
  return (LEFTOVER_TYPES as readonly string[]).includes(type);
}

/** The owners in a mark. All are null for a resource that the gateway has not created. */
interface Mark {
  jobId: string | null;
  instanceId: string | null;
  clusterId: string | null;
}

/** The fields of a resource of any project that decide whether it is a leftover. */
export interface MarkedResource extends Mark {
  type: LeftoverType;
  id: string;
  name: string;
  projectId: string;
  createdAt: string | null;
  /** Why it is in use, as a sentence; null if its own record does not show it. */
  use: string | null;
  /** It belongs to its user once its job has completed. */
  isKept: boolean;
  /** The servers that a volume is attached to. */
  serverIds: readonly string[];
  /** For writes that require the revision that was read. */
  revision?: number | null;
}

export function hasMark({ jobId, instanceId, clusterId }: Mark): boolean {
  return jobId !== null || instanceId !== null || clusterId !== null;
}

type OptionalField = 'use' | 'isKept' | 'serverIds';

type Fields = Omit<MarkedResource, keyof Mark | 'type' | OptionalField> &
  Partial<Pick<MarkedResource, OptionalField>>;

function marked(type: LeftoverType, mark: Partial<Mark>, fields: Fields): MarkedResource {
  return {
    type,
    jobId: null,
    instanceId: null,
    clusterId: null,
    use: null,
    isKept: false,
    serverIds: [],
    ...mark,
    ...fields,
  };
}

/** A resource whose metadata are not known, as those of a server whose cell is down, has no mark. */
function markOfMetadata(metadata: Record<string, string> | null): Partial<Mark> {
  return {
    jobId: metadata?.[JOB_METADATA_KEY] ?? null,
    clusterId: metadata?.[CLUSTER_METADATA_KEY] ?? null,
  };
}

export function toMarkedServer({ id, name, tenant_id, created, metadata }: ServerRecord): MarkedResource {
  const createdAt = toTimestamp(created);
  return marked('server', markOfMetadata(metadata), { id, name, projectId: tenant_id, createdAt });
}

/** Transitional states of a volume, and states in which it is in use. */
const BUSY_VOLUME =
  /^(attaching|detaching|maintenance|extending|retyping|uploading|downloading|awaiting-transfer)$/;
const BUSY_WITH_COPIES = /^(restoring-backup|backing-up|managing)$/;

export function toMarkedVolume(volume: VolumeRecord): MarkedResource {
  const { id, metadata, name } = volume;
  return marked('volume', markOfMetadata(metadata), {
    id,
    name,
    projectId: volume['os-vol-tenant-attr:tenant_id'] ?? '',
    createdAt: toTimestamp(volume.created_at),
    use: useOfVolume(volume),
    isKept: isKept(volume),
    serverIds: (volume.attachments ?? []).flatMap(({ server_id }) => server_id ?? []),
  });
}

function useOfVolume(volume: VolumeRecord): string | null {
  const { status } = volume;
  if (BUSY_VOLUME.test(status) || BUSY_WITH_COPIES.test(status)) return `Its state is ${status}.`;
  const attachments = attachmentsOf(volume);
  if (attachments === null) return 'The service does not say what it is attached to.';
  const host = attachments.find(({ server_id }) => server_id === null);
  return host === undefined ? null : `It is attached to ${describeAttached(host)}.`;
}

export function toMarkedBackup(backup: BackupRecord): MarkedResource {
  const { id, metadata, name, status } = backup;
  return marked('backup', markOfMetadata(metadata), {
    id,
    name,
    projectId: backup['os-backup-project-attr:project_id'] ?? '',
    isKept: true,
    createdAt: toTimestamp(backup.created_at),
    use: status === 'restoring' ? 'Its state is restoring.' : null,
  });
}

/** The shares that instances fill themselves contain their job under another key. */
export function toMarkedShare({ created_at, id, metadata, name, project_id }: ShareRecord): MarkedResource {
  const mark = markOfMetadata(metadata);
  return marked(
    'share',
    { ...mark, jobId: mark.jobId ?? metadata?.overlay_instance ?? null },
    {
      id,
      name,
      projectId: project_id,
      createdAt: toTimestamp(created_at),
      use: metadata?.overlay_status === 'ready' ? 'Instances use it as a prebuilt library.' : null,
      isKept: isKept({ metadata }),
    },
  );
}

export const PORT_FIELDS = [
  'id',
  'name',
  'project_id',
  'description',
  'created_at',
  'device_id',
  'device_owner',
] as const;

export function toMarkedPort(
  port: Pick<PortRecord, (typeof PORT_FIELDS)[number]> & Partial<Pick<PortRecord, 'revision_number'>>,
): MarkedResource {
  const { id, name } = port;
  return marked('port', ownerInDescription(port.description), {
    id,
    name,
    projectId: port.project_id,
    createdAt: toTimestamp(port.created_at),
    use: useOfPort(port),
    revision: port.revision_number,
  });
}

function useOfPort({
  device_id,
  device_owner,
}: Pick<PortRecord, 'device_id' | 'device_owner'>): string | null {
  if (device_id === '' && device_owner === '') return null;
  if (device_id === null || device_owner === null) return 'The network service does not say who uses it.';
  return `It is in use by ${device_owner} ${device_id}.`;
}

export const FLOATING_IP_LEFTOVER_FIELDS = [
  'id',
  'floating_ip_address',
  'project_id',
  'description',
  'created_at',
  'port_id',
] as const;

export function toMarkedFloatingIp(
  floatingIp: Pick<FloatingIpRecord, (typeof FLOATING_IP_LEFTOVER_FIELDS)[number]> &
    Partial<Pick<FloatingIpRecord, 'revision_number'>>,
): MarkedResource {
  const { id, port_id, floating_ip_address: name } = floatingIp;
  return marked('floating_ip', ownerInDescription(floatingIp.description), {
    id,
    name,
    projectId: floatingIp.project_id,
    createdAt: toTimestamp(floatingIp.created_at),
    use: port_id === null ? null : `It is associated with port ${port_id}.`,
    revision: floatingIp.revision_number,
  });
}

export const SECURITY_GROUP_FIELDS = ['id', 'name', 'project_id', 'description', 'created_at'] as const;

export function toMarkedSecurityGroup({
  created_at,
  description,
  id,
  name,
  project_id,
}: Pick<SecurityGroupRecord, (typeof SECURITY_GROUP_FIELDS)[number]>): MarkedResource {
  const createdAt = toTimestamp(created_at);
  return marked('security_group', ownerInDescription(description), {
    id,
    name,
    projectId: project_id,
    createdAt,
  });
}
