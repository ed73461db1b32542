import { toTimestamp } from '@gateway/core';
import { isGatewayRule } from '@gateway/libraries';
import type { AccessRuleRecord } from '@gateway/openstack';

export interface AccessRule {
  id: string;
  /** `nativeauth`, `ip`, or another type with the service's own name. */
  access_type: string;
  access_to: string;
  access_level: 'ro' | 'rw';
  state: string;
  /**
   * A secret. Null for a rule of an instance: clients do not need its key, and could use it
   * to pose as the instance.
   */
  access_key: string | null;
  created_at: string | null;
}

export function presentAccessRule(rule: AccessRuleRecord): AccessRule {
  return {
    id: rule.id,
    access_type: rule.access_type === NATIVE_TYPE ? 'nativeauth' : rule.access_type,
    access_to: rule.access_to,
    // A rule that was created elsewhere without a level grants write access.
    access_level: rule.access_level ?? 'rw',
    state: rule.state,
    access_key: isGatewayRule(rule) ? null : rule.access_key,
    created_at: toTimestamp(rule.created_at),
  };
}

/** The shared file system service's name for `nativeauth`. */
const NATIVE_TYPE = 'cephx';

export function toServiceAccessType(type: 'nativeauth' | 'ip'): string {
  return type === 'nativeauth' ? NATIVE_TYPE : type;
}
