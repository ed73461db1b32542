import { atMost, type Clock, cutText, formatStored, parseStored, storedForms } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/store';
import { LRUCache } from 'lru-cache';
import { seeSessionScript } from './scripts.ts';

/** Where a request came from. */
interface Origin {
  /** The client's address. */
  address: string;
  /** What the client calls itself (`User-Agent`). */
  client: string;
}

/** Times are in milliseconds since the epoch. Address and client are those of the request at `seenAt`. */
interface ListedSession extends Origin {
  id: string;
  startedAt: number;
  seenAt: number;
  /** When the token of the log-in expires. */
  until: number;
  /** Of the application credential of a program; null for a person. */
  credentialId: string | null;
}

interface SessionListOptions {
  redis: Redis;
  clock: Clock;
  onUnavailable(error: unknown): void;
}

interface NewSession {
  id: string;
  startedAt: number;
  credentialId: string | null;
  identity: Pick<Identity, 'userId' | 'expiresAt'>;
}

/** Also the greatest difference between the time of a session's last request and the stored one. */
const SEEN_INTERVAL_MS = 60_000;
/**
 * Of a user as a person, and of each application credential. Beyond it, a log-in ends the one of these
 * sessions that has not been used for the longest time.
 */
const MAX_SESSIONS = 500;
const MAX_CLIENT_LENGTH = 256;
const MAX_REMEMBERED = 20_000;

/**
 * The sessions that users have begun by logging in here, so that they can see and end them. A session of a
 * token that was issued elsewhere is not listed: the gateway has no token of it to revoke. See decision 120.
 */
export class SessionList {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #onUnavailable: (error: unknown) => void;
  /** When this process has last reported a session as seen, by id. */
  readonly #seenAt = new LRUCache<string, number>(atMost(MAX_REMEMBERED));

  constructor({ redis, clock, onUnavailable }: SessionListOptions) {
    this.#redis = redis;
    this.#clock = clock;
    this.#onUnavailable = onUnavailable;
  }

  /** Adds the session of a log-in. Returns the ids of sessions that are no longer listed and have to end. */
  async add(
    { id, credentialId, identity, startedAt }: NewSession,
    { address, client }: Origin,
  ): Promise<string[]> {
    const now = this.#clock.now();
    const key = listKey(identity.userId);
    const until = Date.parse(identity.expiresAt);
    const entry: Entry = {
      startedAt,
      seenAt: now,
      until,
      credentialId,
      address,
      client: cutText(client, MAX_CLIENT_LENGTH),
    };
    await this.#redis
      .multi()
      .hset(key, id, formatStored(storedForms.listedSession, entry))
      // `NX` applies to a new list, `GT` to one that would end earlier.
      .pexpireat(key, until, 'NX')
      .pexpireat(key, until, 'GT')
      .exec();
    const listed = await this.of(identity.userId);
    const ofSameKind = listed
      .filter((session) => session.until > now && session.credentialId === credentialId)
      .sort((a, b) => b.seenAt - a.seenAt);
    const surplus = new Set(ofSameKind.slice(MAX_SESSIONS));
    const dropped = listed
      .filter((session) => session.until <= now || surplus.has(session))
      .map((session) => session.id);
    if (dropped.length > 0) await this.#redis.hdel(key, ...dropped);
    return dropped;
  }

  /** Records a request, at most once a minute for each session, without waiting for the store. */
  see(userId: string, id: string, { address, client }: Origin): void {
    const seenAt = this.#clock.now();
    const before = seenAt - SEEN_INTERVAL_MS;
    if ((this.#seenAt.get(id) ?? 0) > before) return;
    this.#seenAt.set(id, seenAt);
    const { version: form } = storedForms.listedSession;
    const seen = { id, before, seenAt, address, client: cutText(client, MAX_CLIENT_LENGTH), form };
    seeSessionScript.run(this.#redis, { sessions: listKey(userId) }, seen).catch(this.#onUnavailable);
  }

  /** Also sessions that have ended, until they are removed or the log-in's token expires. */
  async of(userId: string): Promise<ListedSession[]> {
    const stored = await this.#redis.hgetall(listKey(userId));
    return Object.entries(stored).map(([id, entry]) => ({
      id,
      ...parseStored<Entry>(storedForms.listedSession, entry),
    }));
  }

  async has(userId: string, sessionId: string): Promise<boolean> {
    return (await this.#redis.hexists(listKey(userId), sessionId)) === 1;
  }

  async remove(userId: string, sessionId: string): Promise<void> {
    await this.#redis.hdel(listKey(userId), sessionId);
  }
}

type Entry = Omit<ListedSession, 'id'>;

function listKey(userId: string): string {
  return `sessions-of:${userId}`;
}
