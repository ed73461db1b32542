import { toTimestamp } from '@gateway/core';
import type { ApplicationCredentialRecord, NewApplicationCredentialRecord } from '@gateway/openstack';
import type { ApplicationCredential, NewApplicationCredential } from './application-credential-shape.ts';

export function presentApplicationCredential(record: ApplicationCredentialRecord): ApplicationCredential {
  return {
    id: record.id,
    name: record.name,
    description: record.description ?? '',
    project_id: record.project_id,
    project_name: null,
    roles: record.roles.map(({ name }) => name),
    expires_at: toTimestamp(record.expires_at),
    unrestricted: record.unrestricted,
    access_rules:
      record.access_rules?.map(({ service, method, path }) => ({ service, method, path })) ?? null,
  };
}

export function presentNewApplicationCredential(
  record: NewApplicationCredentialRecord,
): NewApplicationCredential {
  return { ...presentApplicationCredential(record), secret: record.secret };
}
