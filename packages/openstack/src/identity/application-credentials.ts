import { conflict } from '@gateway/core';
import { flag, item, key, listOf, listOrNull, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const fields = {
  id: key(),
  name: text(),
  project_id: text(),
  description: textOrNull(),
  roles: listOf(item({ name: key() })),
  expires_at: textOrNull(),
  /** Some releases send null for false. */
  unrestricted: flag(false),
  /** Null if the credential permits all requests. */
  access_rules: listOrNull(item({ id: text(), service: text(), method: text(), path: text() })),
};

const applicationCredentialRecord = declareRecord('identity', 'application_credential', fields);

export type ApplicationCredentialRecord = RecordOf<typeof applicationCredentialRecord>;

/** The service shows the secret only in the response to the creation. */
const newApplicationCredentialRecord = declareRecord('identity', 'new_application_credential', {
  ...fields,
  secret: key(),
});

export type NewApplicationCredentialRecord = RecordOf<typeof newApplicationCredentialRecord>;

/** A request that an application credential permits. The path may contain `*` and `**`. */
export interface AccessRule {
  /** The type of the service in the catalog. */
  service: string;
  method: string;
  path: string;
}

interface ApplicationCredentialCreate {
  /** Unique among the user's credentials. */
  name: string;
  /** By default the service generates one. */
  secret?: string;
  description?: string;
  /** A subset of the token's roles; all of them by default. */
  roles?: { name: string }[];
  /** ISO 8601; never expires by default. */
  expires_at?: string;
  /** Permits only these requests; all requests by default. */
  access_rules?: AccessRule[];
  /** May create and remove application credentials itself. */
  unrestricted?: boolean;
}

/**
 * Credentials with which programs act as a user in one project. They are deleted with the user, or when
 * the user loses a role.
 */
export class ApplicationCredentials {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  /**
   * Creates a credential for the user of the token, in the token's project.
   *
   * @throws 409 if the service leaves out its end or its access rules. The credential is removed then
   */
  async create(
    userId: string,
    credential: ApplicationCredentialCreate,
  ): Promise<NewApplicationCredentialRecord> {
    const created = await this.#identity.postRecord(
      'applicationCredentials.create',
      path`/users/${userId}/application_credentials`,
      'application_credential',
      newApplicationCredentialRecord,
      { application_credential: credential },
    );
    const missing = missingRestrictions(credential, created);
    if (missing.length === 0) return created;
    await this.remove(userId, created.id);
    throw conflict(
      'refused_by_service',
      `The identity service does not limit application credentials as requested: it ignores ${missing.join(' and ')}.`,
      { upstream: { service: 'identity', status: 201, request_id: null } },
    );
  }

  list(userId: string): Promise<ApplicationCredentialRecord[]> {
    return this.#identity.list(
      'applicationCredentials.list',
      path`/users/${userId}/application_credentials`,
      'application_credentials',
      applicationCredentialRecord,
    );
  }

  listByName(userId: string, name: string): Promise<ApplicationCredentialRecord[]> {
    return this.#identity.list(
      'applicationCredentials.list',
      path`/users/${userId}/application_credentials`,
      'application_credentials',
      applicationCredentialRecord,
      { name },
    );
  }

  /** Allowed for the user and for administrators. */
  remove(userId: string, id: string): Promise<void> {
    return this.#identity.remove(
      'applicationCredentials.remove',
      path`/users/${userId}/application_credentials/${id}`,
    );
  }
}

function missingRestrictions(
  asked: ApplicationCredentialCreate,
  created: ApplicationCredentialRecord,
): string[] {
  const rules = created.access_rules?.length ?? 0;
  return [
    ...(asked.expires_at !== undefined && created.expires_at === null ? ['expires_at'] : []),
    ...(asked.access_rules !== undefined && rules < asked.access_rules.length ? ['access_rules'] : []),
  ];
}
