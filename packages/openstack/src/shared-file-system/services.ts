import { integerOrNull, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** A process of the shared file system service. */
const serviceRecord = declareRecord('sharedFileSystem', 'service', {
  id: integerOrNull(),
  binary: text(),
  host: text(),
  zone: text(),
  /** `enabled` or `disabled`. */
  status: text('unknown'),
  /** `up` or `down`. */
  state: text('unknown'),
  updated_at: textOrNull(),
  /** Since microversion 2.83. */
  disabled_reason: textOrNull(),
});

type SharedFileSystemServiceRecord = RecordOf<typeof serviceRecord>;

/** For administrators. */
export class SharedFileSystemServices {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  list(): Promise<SharedFileSystemServiceRecord[]> {
    return this.#sharedFileSystem.list('services.list', '/services', 'services', serviceRecord);
  }
}
