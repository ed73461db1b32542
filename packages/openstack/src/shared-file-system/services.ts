import type { ServiceClient } from '../service.ts';

/** A process of the shared file system service. */
interface SharedFileSystemServiceRecord {
  id: number;
  binary: string;
  host: string;
  zone: string;
  /** `enabled` or `disabled`. */
  status: string;
  /** `up` or `down`. */
  state: string;
  updated_at: string | null;
  /** Since microversion 2.83. */
  disabled_reason?: string | null;
}

/** For administrators. */
export class SharedFileSystemServices {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  list(): Promise<SharedFileSystemServiceRecord[]> {
    return this.#sharedFileSystem.list('services.list', '/services', 'services');
  }
}
