import type { Clock } from '@gateway/core';
import type { Closers, Config, Logger } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import type { EndedJob } from '../activity.ts';
import type { ActivityReader } from '../activity-readers.ts';
import { AuditOutbox } from './audit-outbox.ts';
import { streamAudit, streamEnd } from './stream-audit.ts';

interface AuditStreamParts {
  clock: Clock;
  closers: Closers;
  config: Config;
  logger: Logger;
  redis: RedisConnections;
}

interface AuditStream {
  /** Null without a receiver. */
  outbox: AuditOutbox | null;
  readers: ActivityReader[];
  /** Stores the end of a job, if there is a receiver. @throws while the store is unavailable */
  storeEnd(job: EndedJob): Promise<void>;
}

/** What a process needs to add to the audit stream, if there is one. */
export function openAuditStream({ clock, closers, config, logger, redis }: AuditStreamParts): AuditStream {
  const { maxWaiting, url } = config.audit.stream;
  if (url === null) return { outbox: null, readers: [], storeEnd: async () => {} };
  const outbox = new AuditOutbox({ redis: redis.store, logger, maxWaiting });
  closers.add('audit stream', () => outbox.close());
  const { name: gateway } = config.gateway;
  const { region } = config.identity;
  return {
    outbox,
    readers: [streamAudit({ outbox, clock, gateway, region })],
    storeEnd: (job) => streamEnd(job, { outbox, gateway, region }),
  };
}
