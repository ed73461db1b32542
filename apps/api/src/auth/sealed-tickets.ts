import { randomBytes } from 'node:crypto';
import {
  type Clock,
  fingerprint,
  formatStored,
  NewerFormError,
  parseStored,
  type Sealer,
  storedForms,
} from '@gateway/core';
import type { DomainReference, Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/store';

/** What the second step of a log-in needs of the first. See decision 116. */
export interface LogInReceipt {
  /** Of the identity service. It stands for the password. */
  receipt: string;
  userId: string;
  /** As in the first step, because failed log-ins count by these names. The domain may be an id. */
  username: string;
  domainName: string;
  projectName?: string;
  projectDomain: DomainReference;
}

/** A browser that has begun a single sign-on. See decision 118. */
export interface SignOnAttempt {
  /** The page to which the browser returns. */
  returnTo: string;
  /** The SHA-256 of the page's verifier, in base64url. */
  challenge: string;
}

/** A browser that has returned, and the token that it brought. */
interface ReturnedSignOn extends SignOnAttempt {
  /** Of the identity service, without a project. */
  token: string;
}

/** Whoever brings it is its user, in its project. */
type Bearer = Pick<Identity, 'token' | 'projectId'>;

/** What clients keep whole, so that any process can read it and nothing is stored. */
interface KeptContents {
  'log-in-receipt': LogInReceipt;
  'session-cookie': Bearer;
  'sign-on-attempt': SignOnAttempt;
}

/** What is stored, and used once. */
interface StoredContents {
  'sign-on-code': ReturnedSignOn;
  'stream-ticket': Bearer;
}

const forms = {
  'log-in-receipt': storedForms.logInReceipt,
  'session-cookie': storedForms.credential,
  'sign-on-attempt': storedForms.signOn,
  'sign-on-code': storedForms.signOn,
  'stream-ticket': storedForms.credential,
} satisfies Record<keyof KeptContents | keyof StoredContents, unknown>;

interface SealedTicketsParts {
  redis: Redis;
  sealer: Sealer;
  clock: Clock;
}

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/**
 * What clients bring to continue something, in kinds that do not stand for each other. A client keeps the
 * ticket itself, sealed, and may use it until it ends. Or it has a random id and uses it once: the store has
 * the hash of the id, and the ticket, sealed.
 */
export class SealedTickets {
  readonly #parts: SealedTicketsParts;

  constructor(parts: SealedTicketsParts) {
    this.#parts = parts;
  }

  /** @param expiresAt milliseconds since the epoch; by default, it ends with what it contains */
  seal<K extends keyof KeptContents>(kind: K, content: KeptContents[K], expiresAt?: number): string {
    return this.#parts.sealer.seal(kind, formatStored(forms[kind], { ...content, expiresAt }));
  }

  /** Null for an expired ticket, and for a text that no process of this gateway has sealed. */
  open<K extends keyof KeptContents>(kind: K, sealed: string): KeptContents[K] | null {
    const ticket = this.#read(kind, sealed);
    return (ticket?.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#parts.clock.now() ? null : ticket;
  }

  /** The same, also for an expired ticket. */
  openExpired<K extends keyof KeptContents>(kind: K, sealed: string): KeptContents[K] | null {
    return this.#read(kind, sealed);
  }

  /**
   * Returns the id.
   * @param subject what the ticket is for. With another subject it is unknown, and stays unused.
   */
  async issue<K extends keyof StoredContents>(
    kind: K,
    content: StoredContents[K],
    { ttlSeconds, subject = '' }: { ttlSeconds: number; subject?: string },
  ): Promise<string> {
    const { redis, sealer } = this.#parts;
    const id = randomBytes(ID_BYTES).toString('base64url');
    const key = keyOf(kind, subject, id);
    await redis.set(key, sealer.seal(key, formatStored(forms[kind], content)), 'EX', ttlSeconds);
    return id;
  }

  /** The ticket cannot be used again. Null for anything but an unused ticket for the subject. */
  async redeem<K extends keyof StoredContents>(
    kind: K,
    id: unknown,
    subject = '',
  ): Promise<StoredContents[K] | null> {
    const { redis, sealer } = this.#parts;
    if (typeof id !== 'string' || !ID.test(id)) return null;
    const key = keyOf(kind, subject, id);
    const sealed = await redis.getdel(key);
    const opened = sealed === null ? null : sealer.openIfKnown(key, sealed);
    return opened === null ? null : parseStored<StoredContents[K]>(forms[kind], opened);
  }

  #read<K extends keyof KeptContents>(kind: K, sealed: string) {
    try {
      const opened = this.#parts.sealer.openIfKnown(kind, sealed);
      if (opened === null) return null;
      return parseStored<KeptContents[K] & { expiresAt?: number | null }>(forms[kind], opened);
    } catch (error) {
      if (error instanceof NewerFormError) throw error;
      return null;
    }
  }
}

function keyOf(kind: keyof StoredContents, subject: string, id: string): string {
  return `${kind}:${fingerprint(`${subject} ${id}`)}`;
}
