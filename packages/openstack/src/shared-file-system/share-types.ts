import { flag, key, part, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

const shareTypeRecord = declareRecord('sharedFileSystem', 'share_type', {
  id: key(),
  name: text(),
  description: text(),
  /** Whether shares of the type need a share network, as a text. */
  required_extra_specs: part({ driver_handles_share_servers: textOrNull() }),
  'share_type_access:is_public': flag(true),
  /** Since microversion 2.46. */
  is_default: flag(false),
});

export type ShareTypeRecord = RecordOf<typeof shareTypeRecord>;

export class ShareTypes {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  list(): Promise<ShareTypeRecord[]> {
    return this.#sharedFileSystem.list('shareTypes.list', '/types', 'share_types', shareTypeRecord);
  }
}
