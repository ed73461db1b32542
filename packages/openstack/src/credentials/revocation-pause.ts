/**
 * A new password revokes all tokens of its user, also those that are issued later in the same second: the
 * time of issue has no fraction. Tokens that are requested after this pause live.
 */
export const REVOCATION_PAUSE_MS = 1000;
