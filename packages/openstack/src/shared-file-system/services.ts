import { integerOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import { processFields } from '../records/service-process.ts';
import type { ServiceClient } from '../service.ts';

/** A process of the shared file system service. It has a `disabled_reason` since microversion 2.83. */
const serviceRecord = declareRecord('sharedFileSystem', 'service', {
  id: integerOrNull(),
  ...processFields,
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
