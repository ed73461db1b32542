import { UpstreamError } from '../errors.ts';
import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface AccessRuleRecord {
  id: string;
  /** Absent in lists. */
  share_id?: string;
  access_type: string;
  access_to: string;
  access_level: 'ro' | 'rw';
  /** `queued_to_apply`, `applying`, `active`, `error`, `queued_to_deny`, `denying`. */
  state: string;
  /** A secret: the key that goes with the name in `access_to`; null until active, and where there is none. */
  access_key: string | null;
  created_at: string;
  updated_at: string | null;
  metadata: Record<string, string>;
}

export interface AccessRuleCreate {
  access_type: string;
  access_to: string;
  access_level: 'ro' | 'rw';
  metadata?: Record<string, string>;
}

/** Rules are a resource of their own since microversion 2.45. */
export class AccessRules {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /** A share that is not there is a 404, as everywhere; the service itself calls the request a bad one. */
  async list(shareId: string): Promise<AccessRuleRecord[]> {
    try {
      return await this.#sharedFileSystem.list('accessRules.list', '/share-access-rules', 'access_list', {
        share_id: shareId,
      });
    } catch (thrown) {
      if (!isBadRequest(thrown, /^Share \S+ not found/)) throw thrown;
      throw new UpstreamError(404, 'not_found', thrown.message, thrown);
    }
  }

  async get(id: string): Promise<AccessRuleRecord> {
    const answer = await this.#sharedFileSystem.get<{ access: AccessRuleRecord }>(
      'accessRules.get',
      path`/share-access-rules/${id}`,
    );
    return answer.access;
  }

  /** A share has one rule for each identity: another is a 409; the service itself calls the request a bad one. */
  async allow(shareId: string, rule: AccessRuleCreate): Promise<AccessRuleRecord> {
    try {
      const answer = await this.#sharedFileSystem.post<{ access: AccessRuleRecord }>(
        'accessRules.allow',
        path`/shares/${shareId}/action`,
        { allow_access: rule },
      );
      return answer.access;
    } catch (thrown) {
      if (!isBadRequest(thrown, /^Share access \S+ exists/)) throw thrown;
      throw new UpstreamError(409, 'conflict', thrown.message, thrown);
    }
  }

  /** Repeated after a passing fault: the second finds the rule gone or going. */
  deny(shareId: string, ruleId: string): Promise<void> {
    return this.#sharedFileSystem.quiet('POST', 'accessRules.deny', path`/shares/${shareId}/action`, {
      body: { deny_access: { access_id: ruleId } },
      idempotent: true,
      deletes: true,
    });
  }
}

function isBadRequest(thrown: unknown, words: RegExp): thrown is UpstreamError {
  return (
    thrown instanceof UpstreamError &&
    thrown.upstreamStatus === 400 &&
    words.test(thrown.upstreamMessage ?? '')
  );
}
