import { toTimestamp } from '@gateway/core';
import type {
  AccessRule,
  ApplicationCredentialRecord,
  NewApplicationCredentialRecord,
} from '@gateway/openstack';

export interface ApplicationCredential {
  id: string;
  name: string;
  description: string;
  project_id: string;
  project_name: string | null;
  /** Names. */
  roles: string[];
  expires_at: string | null;
  /** Whether it may manage other credentials of its user. */
  unrestricted: boolean;
  /** Null if it permits all requests. */
  access_rules: AccessRule[] | null;
}

export interface NewApplicationCredential extends ApplicationCredential {
  secret: string;
}

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
