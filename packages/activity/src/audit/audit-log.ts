import { type Clock, formatStored, parseStored, storedForms } from '@gateway/core';
import { type ErasedUser, withoutUser } from '@gateway/jobs';
import type { Logger } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { AuditFilter, AuditKind, AuditRecord, NewAuditRecord } from './audit-record.ts';
import { AUDIT_KINDS, matches } from './audit-record.ts';
import { rewriteRecordsScript } from './scripts.ts';

interface AuditLogOptions {
  redis: Redis;
  clock: Clock;
  logger: Logger;
  /** Of each kind. The oldest records go first. Read each time, because they can change. */
  limits: { keepSeconds: number; maxRecords: number };
}

/** A stream, so that one node keeps the records in the order in which they were written. */
const keyOf = (kind: AuditKind) => `{audit}:records:${kind}`;
const BATCH_SIZE = 500;
/** What an erased user leaves of name and address. */
const NOBODY = { address: '', user_name: null, name_hash: null };

/** The records of what administrators change and of sessions, besides the audit lines of the log. */
export class AuditLog {
  readonly #options: AuditLogOptions;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Stores a record. While the store is unavailable, only the log has the line. */
  async record(kind: AuditKind, record: NewAuditRecord): Promise<void> {
    const { redis, clock, limits } = this.#options;
    const { keepSeconds, maxRecords } = limits;
    const key = keyOf(kind);
    const oldest = clock.now() - keepSeconds * 1000;
    const replies = await redis
      .pipeline()
      .xadd(key, 'MAXLEN', '~', maxRecords, '*', 'record', formatStored(storedForms.auditRecord, record))
      .xtrim(key, 'MINID', '~', oldest)
      .expire(key, keepSeconds)
      .exec();
    for (const [error] of replies ?? []) if (error !== null) throw error;
  }

  /** Whether there is a record of this kind with this id. */
  async has(kind: AuditKind, id: string): Promise<boolean> {
    return ID.test(id) && (await this.#options.redis.xrange(keyOf(kind), id, id)).length > 0;
  }

  /** Replaces a user in all records, and removes the addresses of that user. Returns their number. */
  async eraseUser(user: ErasedUser): Promise<number> {
    const { redis } = this.#options;
    let erased = 0;
    for (const kind of AUDIT_KINDS) {
      const records = keyOf(kind);
      const texts: Record<string, string> = {};
      for (const [id, fields] of await redis.xrange(records, '-', '+')) {
        const text = withoutUser<NewAuditRecord>(fields[1] ?? '', user, (record) =>
          record.user_id === user.pseudonym ? { ...record, ...NOBODY } : record,
        );
        if (text !== null) texts[id] = text;
      }
      if (Object.keys(texts).length === 0) continue;
      const keys = { records, rewritten: `${records}:rewritten` };
      erased += Number(await rewriteRecordsScript.run(redis, keys, { texts: JSON.stringify(texts) }));
    }
    return erased;
  }

  /**
   * At most `count` matching records, newest first, that are older than the record with this id. Those that
   * this process cannot read, such as those of a newer release, are left out, and the log has their number.
   */
  async read(kind: AuditKind, filter: AuditFilter, count: number, before?: string): Promise<AuditRecord[]> {
    const { clock, limits } = this.#options;
    const oldest = String(Math.max(clock.now() - limits.keepSeconds * 1000, filter.since ?? 0));
    const found: AuditRecord[] = [];
    let from = before === undefined ? String(filter.until ?? '+') : `(${before}`;
    for (;;) {
      const entries = await this.#options.redis.xrevrange(keyOf(kind), from, oldest, 'COUNT', BATCH_SIZE);
      for (const record of this.#parse(entries)) {
        if (matches(record, filter)) found.push(record);
        if (found.length === count) return found;
      }
      const last = entries.at(-1);
      if (last === undefined || entries.length < BATCH_SIZE) return found;
      from = `(${last[0]}`;
    }
  }

  #parse(entries: readonly [id: string, fields: string[]][]): AuditRecord[] {
    const records: AuditRecord[] = [];
    let latest: { record_id: string; error: unknown } | undefined;
    for (const [id, fields] of entries) {
      try {
        records.push({ id, ...parseStored<NewAuditRecord>(storedForms.auditRecord, fields[1] ?? '') });
      } catch (error) {
        latest ??= { record_id: id, error };
      }
    }
    const count = entries.length - records.length;
    if (latest !== undefined) this.#options.logger.warn('Audit records cannot be read', { count, ...latest });
    return records;
  }
}

const ID = /^\d{1,15}-\d{1,15}$/;
