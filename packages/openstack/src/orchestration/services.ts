import { key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** An engine of the orchestration service. */
const engineRecord = declareRecord('orchestration', 'service', {
  id: key(),
  binary: text(),
  hostname: text(),
  host: text(),
  /** `up` or `down`. */
  status: text('unknown'),
  updated_at: textOrNull(),
});

export type OrchestrationServiceRecord = RecordOf<typeof engineRecord>;

/** For administrators. */
export class OrchestrationServices {
  readonly #orchestration: ServiceClient;

  constructor(orchestration: ServiceClient) {
    this.#orchestration = orchestration;
  }

  list(): Promise<OrchestrationServiceRecord[]> {
    return this.#orchestration.list('services.list', '/services', 'services', engineRecord);
  }
}
