import {
  type AccessRule,
  type FileStorage,
  type FileStorageQuota,
  fileStorageActions,
  type QuotaValue,
  type ShareNetwork,
  type ShareType,
} from '@gateway/resources';
import Joi from 'joi';
import { allowedActionsField, managedByField } from '../../http/schemas/actions.ts';
import {
  existingNameField,
  idField,
  listOf,
  nameField,
  nullableText,
  part,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';

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

export const fileStorageShape = shape<FileStorage>(
  'FileStorage',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    size: Joi.number().integer().description('GB.'),
    share_proto: Joi.string().description('`NATIVEFS`, `NFS`, or the name of another protocol.'),
    export_locations: listOf(Joi.string()).description(
      'The preferred one first; empty until the service has made them.',
    ),
    metadata: Joi.object().pattern(Joi.string(), text()),
    library_name: nullableText().description('The library of a prebuilt file storage.'),
    library_version: nullableText(),
    built_at: timestamp().allow(null),
    project_id: text(),
    project_name: nullableText(),
    user_id: nullableText().description('Who created it.'),
    user_name: nullableText(),
    created_at: timestamp().allow(null),
    share_network_id: nullableText(),
    share_network_name: nullableText(),
    is_public: Joi.boolean(),
    managed_by: managedByField(),
    allowed_actions: allowedActionsField(fileStorageActions),
  },
  () => ({ status: 'available', library_name: null, library_version: null, built_at: null }),
);

export const accessRuleShape = shape<AccessRule>(
  'AccessRule',
  {
    id: Joi.string(),
    access_type: Joi.string().description('`nativeauth`, `ip`, or the name of another type.'),
    access_to: text(),
    access_level: Joi.string().valid('ro', 'rw'),
    state: Joi.string().description(
      '`queued_to_apply`, `applying`, `active`, `error`, `queued_to_deny` or `denying`.',
    ),
    access_key: nullableText().description(
      'The secret key of the client name. Null until the service has it, for `ip`, and for rules of instances.',
    ),
    created_at: timestamp().allow(null),
  },
  () => ({
    access_type: 'nativeauth',
    state: 'active',
    access_key: 'AQDkVmZpJ0bQAxAAq3rU5w8yT1n6cK7vLx2ePg==',
  }),
);

/** A limit, and what counts against it. */
export function quotaValue() {
  return part<QuotaValue>({
    limit: Joi.number().integer().description('-1 for no limit.'),
    in_use: Joi.number().integer(),
  });
}

export const fileStorageQuotaShape = shape<FileStorageQuota>('FileStorageQuota', {
  gigabytes: quotaValue(),
  shares: quotaValue(),
  snapshots: quotaValue(),
  share_networks: quotaValue(),
});

export const shareTypeShape = shape<ShareType>('ShareType', {
  id: Joi.string(),
  name: text(),
  description: text(),
  is_default: Joi.boolean(),
  is_public: Joi.boolean(),
});

export const shareNetworkShape = shape<ShareNetwork>('ShareNetwork', {
  id: Joi.string(),
  name: text(),
  description: text(),
  network_id: nullableText().description('Null without a network of the network service.'),
  network_name: nullableText(),
  subnet_id: nullableText(),
  subnet_name: nullableText(),
  created_at: timestamp().allow(null),
});
