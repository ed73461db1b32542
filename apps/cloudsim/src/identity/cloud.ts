import type { TimeSource } from '../common/clock.ts';
import type { Call } from '../http/operation.ts';
import type { IdentityState } from './state.ts';

export interface IdentitySettings {
  tokenLifetimeSeconds: number;
  /**
   * Whether the other services reject tokens of credentials with access rules, as services
   * without `service_type` do.
   */
  refusesAccessRules: boolean;
  /**
   * The maximum length of a list of users, groups or projects; null for releases before
   * 2025.1, which have no pages.
   */
  maxListLength: number | null;
  /**
   * Whether each domain has a directory of its own. A list of users or groups then has those of one domain.
   */
  hasDirectories: boolean;
  /** What new passwords must match, and its description for users; null accepts any password. */
  passwordPolicy: { regex: string; description: string } | null;
  /** Whether passwords that an administrator sets expire at once, so that the user has to change them. */
  changePasswordUponFirstUse: boolean;
  /** The addresses to which the web sign-on sends tokens (`trusted_dashboard`). */
  trustedDashboards: string[];
  /** Whether users of single sign-on stay in their groups (`default_authorization_ttl`). */
  keepsMappedGroups: boolean;
}

/** The part of the cloud that the identity service uses. */
export interface IdentityCloud {
  readonly clock: TimeSource;
  readonly publicUrl: string;
  readonly region: string;
  readonly settings: IdentitySettings;
  readonly identity: IdentityState;
}

export type IdentityCall = Call<IdentityCloud>;
