import { z } from 'zod';
import { UpstreamError } from '../errors/index.ts';
import { key, mapOrNull, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const accessRuleRecord = declareRecord('sharedFileSystem', 'access_rule', {
  id: key(),
  access_type: text('unknown'),
  access_to: text(),
  /** `ro` or `rw`; null for a rule that was created without a level. */
  access_level: z.enum(['ro', 'rw']).nullable().catch(null),
  /** `queued_to_apply`, `applying`, `active`, `error`, `queued_to_deny`, `denying`. */
  state: text('unknown'),
  /**
   * A secret: the key of the name in `access_to`; null until the rule is active, and for
   * protocols without keys.
   */
  access_key: textOrNull(),
  created_at: text(),
  /** Null if the service does not say it: then the rule may have any mark. */
  metadata: mapOrNull(z.string()),
});

export type AccessRuleRecord = RecordOf<typeof accessRuleRecord>;

export interface AccessRuleCreate {
  access_type: string;
  access_to: string;
  access_level: 'ro' | 'rw';
  metadata?: Record<string, string>;
}

/** Needs microversion 2.45. */
export class AccessRules {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /** Throws a 404 if the share does not exist; the service itself responds with 400. */
  async list(shareId: string): Promise<AccessRuleRecord[]> {
    try {
      return await this.#sharedFileSystem.list(
        'accessRules.list',
        '/share-access-rules',
        'access_list',
        accessRuleRecord,
        { share_id: shareId },
      );
    } catch (thrown) {
      if (!isBadRequest(thrown, /^Share \S+ not found/)) throw thrown;
      throw new UpstreamError(404, 'not_found', thrown.message, thrown);
    }
  }

  get(id: string): Promise<AccessRuleRecord> {
    return this.#sharedFileSystem.getRecord(
      'accessRules.get',
      path`/share-access-rules/${id}`,
      'access',
      accessRuleRecord,
    );
  }

  /**
   * Throws a 409 if the share already has a rule for `access_to`, or if its state does not allow new rules;
   * the service itself responds with 400.
   */
  async allow(shareId: string, rule: AccessRuleCreate): Promise<AccessRuleRecord> {
    try {
      return await this.#sharedFileSystem.postRecord(
        'accessRules.allow',
        path`/shares/${shareId}/action`,
        'access',
        accessRuleRecord,
        { allow_access: rule },
      );
    } catch (thrown) {
      if (!isBadRequest(thrown, /^Share access .+ exists|^New access rules cannot be applied/)) throw thrown;
      throw new UpstreamError(409, 'conflict', thrown.message, thrown);
    }
  }

  /** Retried after a transient error: a repeated request for the same rule does no harm. */
  deny(shareId: string, ruleId: string): Promise<void> {
    return this.#sharedFileSystem.requestVoid('POST', 'accessRules.deny', path`/shares/${shareId}/action`, {
      body: { deny_access: { access_id: ruleId } },
      idempotent: true,
      isDelete: true,
    });
  }
}

function isBadRequest(thrown: unknown, message: RegExp): thrown is UpstreamError {
  return (
    thrown instanceof UpstreamError &&
    thrown.upstreamStatus === 400 &&
    message.test(thrown.upstreamMessage ?? '')
  );
}
