import type { CadfEvent } from '@gateway/activity';

/** Where the events of the audit stream go. */
export interface AuditReceiver {
  /** Resolves once the receiver has all events. @throws if it may lack some */
  send(events: readonly CadfEvent[]): Promise<void>;
}
