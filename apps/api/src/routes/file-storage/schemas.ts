import {
  flag,
  id,
  idOrEmpty,
  integer,
  listOf,
  mapOf,
  nonEmptyText,
  oneOf,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import {
  type AccessRule,
  type FileStorage,
  type FileStorageQuota,
  fileStorageActions,
  type ShareNetwork,
  type ShareType,
} from '@gateway/resources';
import { allowedActionsField, managedByField, quotaValue } from '@gateway/resources/shapes';
import Joi from 'joi';
import { existingNameField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateFileStorageBody {
  name: string;
  size_gb: number;
  share_type?: string;
  share_network_id?: string;
  metadata?: Record<string, string>;
  share_proto: 'NATIVEFS' | 'NFS';
}

export interface AccessRuleBody {
  access_to: string;
  access_level: 'ro' | 'rw';
  access_type: 'nativeauth' | 'ip';
}

/** As the interface has it. */
const MAX_SIZE_GB = 16_384;

export const createFileStorageBody = Joi.object<CreateFileStorageBody, true>({
  name: nameField().required(),
  size_gb: Joi.number().integer().min(1).max(MAX_SIZE_GB).required(),
  share_type: existingNameField().description('Id or name. Default: as configured for the protocol.'),
  share_network_id: idField().description('Default: as configured.'),
  metadata: Joi.object()
    // What the service accepts.
    .pattern(Joi.string().min(1).max(255), Joi.string().min(1).max(1023))
    .description('Keys that begin with `overlay_` or `gateway_` are reserved for the gateway.'),
  share_proto: Joi.string().valid('NATIVEFS', 'NFS').default('NATIVEFS'),
})
  .required()
  .meta({ name: 'CreateFileStorage', example: () => ({ share_proto: 'NATIVEFS' }) });

export const accessRuleBody = Joi.object<AccessRuleBody, true>({
  access_to: Joi.string()
    .min(1)
    .max(255)
    .required()
    .description('A client name for `nativeauth`; an address or a network in CIDR notation for `ip`.'),
  access_level: Joi.string().valid('ro', 'rw').default('ro'),
  access_type: Joi.string()
    .valid('nativeauth', 'ip')
    .default('nativeauth')
    .description('`nativeauth` for NATIVEFS, `ip` for NFS.'),
})
  .required()
  .meta({ name: 'CreateAccessRule' });

export const fileStorageShape = shapeLike<FileStorage>('FileStorage', {
  id: id('file_storage'),
  name: text('datasets'),
  status: nonEmptyText('available'),
  size: integer(10).describe('GB.'),
  share_proto: nonEmptyText('NATIVEFS').describe('`NATIVEFS`, `NFS`, or the name of another protocol.'),
  export_locations: listOf(nonEmptyText('192.0.2.30:/shares/data')).describe(
    'The preferred one first; empty until the service has made them.',
  ),
  metadata: mapOf(text()),
  library_name: text().nullable().describe('The library of a prebuilt file storage.'),
  library_version: text().nullable(),
  built_at: timestamp(null).nullable(),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  user_id: idOrEmpty('user').nullable().describe('Who created it.'),
  user_name: text('demo').nullable(),
  created_at: timestamp().nullable(),
  share_network_id: text().nullable(),
  share_network_name: text().nullable(),
  is_public: flag(),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField(fileStorageActions),
});

export const accessRuleShape = shapeLike<AccessRule>('AccessRule', {
  id: id('access_rule'),
  access_type: nonEmptyText('nativeauth').describe('`nativeauth`, `ip`, or the name of another type.'),
  access_to: text('web-1'),
  access_level: oneOf(['ro', 'rw'], 'rw'),
  state: nonEmptyText('active').describe(
    '`queued_to_apply`, `applying`, `active`, `error`, `queued_to_deny` or `denying`.',
  ),
  access_key: text('AQDkVmZpJ0bQAxAAq3rU5w8yT1n6cK7vLx2ePg==')
    .nullable()
    .describe(
      'The secret key of the client name. Null until the service has it, for `ip`, and for rules of instances.',
    ),
  created_at: timestamp().nullable(),
});

export const fileStorageQuotaShape = shapeLike<FileStorageQuota>('FileStorageQuota', {
  gigabytes: quotaValue(),
  shares: quotaValue(),
  snapshots: quotaValue(),
  share_networks: quotaValue(),
});

export const shareTypeShape = shapeLike<ShareType>('ShareType', {
  id: id('share_type'),
  name: text('default'),
  description: text(''),
  is_default: flag(false),
  is_public: flag(),
});

export const shareNetworkShape = shapeLike<ShareNetwork>('ShareNetwork', {
  id: id('share_network'),
  name: text('exports'),
  description: text(''),
  network_id: idOrEmpty('network').nullable().describe('Null without a network of the network service.'),
  network_name: text('inside').nullable(),
  subnet_id: idOrEmpty('subnet').nullable(),
  subnet_name: text('inside').nullable(),
  created_at: timestamp().nullable(),
});
