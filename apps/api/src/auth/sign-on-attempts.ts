import {
  type Clock,
  formatStored,
  NewerFormError,
  parseStored,
  type Sealer,
  storedForms,
} from '@gateway/core';

/** What a browser has begun. */
export interface SignOnAttempt {
  /** The page to which the browser returns. */
  returnTo: string;
  /** The SHA-256 of the page's verifier, in base64url. */
  challenge: string;
}

interface SealedAttempt extends SignOnAttempt {
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const PURPOSE = 'sign-on-attempt';
/** Users type their password and further factors meanwhile. */
export const ATTEMPT_SECONDS = 600;

/**
 * Seals attempts for the cookie that recognises a browser when it returns. Nothing is stored, so beginning
 * costs the gateway nothing. See decision 118.
 */
export class SignOnAttempts {
  readonly #sealer: Sealer;
  readonly #clock: Clock;

  constructor(sealer: Sealer, clock: Clock) {
    this.#sealer = sealer;
    this.#clock = clock;
  }

  seal(attempt: SignOnAttempt): string {
    const sealed: SealedAttempt = { ...attempt, expiresAt: this.#clock.now() + ATTEMPT_SECONDS * 1000 };
    return this.#sealer.seal(PURPOSE, formatStored(storedForms.signOn, sealed));
  }

  /** Null for an expired attempt, and for a text that no process of this gateway has sealed. */
  open(sealed: string): SignOnAttempt | null {
    try {
      const opened = this.#sealer.openIfKnown(PURPOSE, sealed);
      if (opened === null) return null;
      const attempt = parseStored<SealedAttempt>(storedForms.signOn, opened);
      return attempt.expiresAt > this.#clock.now() ? attempt : null;
    } catch (error) {
      if (error instanceof NewerFormError) throw error;
      return null;
    }
  }
}
