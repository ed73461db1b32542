import Joi from 'joi';
import { existingNameField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateFileStorageBody {
  name: string;
  size_gb: number;
  share_type?: string;
  share_network_id?: string;
  snapshot_id?: string;
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
  snapshot_id: idField().description(
    'The snapshot from which it is filled. Protocol, type and network are those of its file storage.',
  ),
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
  access_level: Joi.string().valid('ro', 'rw').default('ro').meta({ name: 'AccessLevel' }),
  access_type: Joi.string()
    .valid('nativeauth', 'ip')
    .default('nativeauth')
    .description('`nativeauth` for NATIVEFS, `ip` for NFS.'),
})
  .required()
  .meta({ name: 'CreateAccessRule' });
