import type { ServiceClient } from '../service.ts';

export interface ShareTypeRecord {
  id: string;
  name: string;
  description: string | null;
  'share_type_access:is_public': boolean;
  /** Since microversion 2.46. */
  is_default: boolean;
  extra_specs: Record<string, string>;
  required_extra_specs: Record<string, string>;
}

export class ShareTypes {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  list(): Promise<ShareTypeRecord[]> {
    return this.#sharedFileSystem.list('shareTypes.list', '/types', 'share_types');
  }
}
