import type { TimeSource } from '../common/clock.ts';
import type { Call } from '../http/operation.ts';
import type { IdentityState } from './state.ts';

export interface IdentitySettings {
  tokenLifetimeSeconds: number;
  /** Whether the other services refuse tokens of credentials with access rules: they have no `service_type`. */
  refusesAccessRules: boolean;
  /** No list of users, groups or projects is longer; null for releases before 2025.1, which know no pages. */
  maxListLength: number | null;
  /** Whether each domain has a directory of its own: lists of users and groups are those of one domain. */
  hasDirectories: boolean;
  /** What new passwords must match, and the description that users are given; null accepts any password. */
  passwordPolicy: { regex: string; description: string } | null;
}

/** The part of the cloud that the identity service uses. */
export interface IdentityCloud {
  readonly clock: TimeSource;
  readonly publicUrl: string;
  readonly settings: IdentitySettings;
  readonly identity: IdentityState;
}

export type IdentityCall = Call<IdentityCloud>;
