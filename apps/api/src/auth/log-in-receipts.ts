import {
  type Clock,
  formatStored,
  GatewayError,
  NewerFormError,
  parseStored,
  type Sealer,
  storedForms,
} from '@gateway/core';
import type { DomainReference } from '@gateway/openstack';

/** What the second step of a log-in needs of the first. */
export interface LogInReceipt {
  /** Of the identity service. It stands for the password. */
  receipt: string;
  userId: string;
  /** As in the first step, because failed log-ins count by these names. The domain may be an id. */
  username: string;
  domainName: string;
  projectName?: string;
  projectDomain: DomainReference;
  /** ISO 8601. */
  expiresAt: string;
}

const PURPOSE = 'log-in-receipt';

/**
 * Seals receipts, so that a client can continue its log-in at any process. Nothing is stored. See decision
 * 116.
 */
export class LogInReceipts {
  readonly #sealer: Sealer;
  readonly #clock: Clock;

  constructor(sealer: Sealer, clock: Clock) {
    this.#sealer = sealer;
    this.#clock = clock;
  }

  seal(receipt: LogInReceipt): string {
    return this.#sealer.seal(PURPOSE, formatStored(storedForms.logInReceipt, receipt));
  }

  /** Also opens an expired receipt. Null for a text that no process of this gateway has sealed. */
  read(sealed: string): LogInReceipt | null {
    try {
      const opened = this.#sealer.openIfKnown(PURPOSE, sealed);
      return opened === null ? null : parseStored<LogInReceipt>(storedForms.logInReceipt, opened);
    } catch (error) {
      if (error instanceof NewerFormError) throw error;
      return null;
    }
  }

  /** @throws `invalid_receipt` for an unknown or expired receipt */
  open(sealed: string): LogInReceipt {
    const receipt = this.read(sealed);
    if (receipt === null || Date.parse(receipt.expiresAt) <= this.#clock.now()) throw invalidReceipt();
    return receipt;
  }
}

export function invalidReceipt(cause?: unknown): GatewayError {
  const detail = 'The receipt is unknown or has expired. Please log in with the password again.';
  return new GatewayError(401, 'invalid_receipt', detail, { cause });
}
