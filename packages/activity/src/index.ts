export * from './activity.ts';
export * from './activity-readers.ts';
export { AuditLog } from './audit/audit-log.ts';
export {
  AUDIT_KINDS,
  type AuditFilter,
  type AuditKind,
  type AuditRecord,
  outcomeOf,
} from './audit/audit-record.ts';
export { AuditOutbox } from './audit-stream/audit-outbox.ts';
export type { CadfEvent } from './audit-stream/cadf-event.ts';
export { openAuditStream } from './audit-stream/open-audit-stream.ts';
export * from './effect.ts';
export { reportedChanges } from './readers/listeners.ts';
export { sharedReaders } from './shared-readers.ts';
