import type { VolumeRecord } from '../block-storage/index.ts';
import type { ServerRecord } from '../compute/index.ts';
import type { Identity } from '../credentials/identity.ts';
import { currentIdentity, type IdentitySource, projectOf } from '../credentials/identity-source.ts';
import type { ShareRecord } from '../shared-file-system/index.ts';
import { type ProjectResources, readSourceOf, SharedReads } from '../shared-reads.ts';
import { ExpectedDurations } from './expected-durations.ts';
import {
  type GoneWaitOptions,
  type StatusWaitOptions,
  type WaitOptions,
  waitFor,
  waitForGone,
  waitForStatus,
} from './wait.ts';

/** What the waits and look-ups of a process share. */
export class ReadState {
  readonly reads = new SharedReads();
  readonly durations = new ExpectedDurations();
}

interface PolledResources {
  server: ServerRecord;
  share: ShareRecord;
  volume: VolumeRecord;
}

type PolledResource = keyof PolledResources;

/** The services of one identity. */
interface PolledServices {
  readonly blockStorage: { volumes: ProjectResources<VolumeRecord> };
  readonly compute: { servers: ProjectResources<ServerRecord> };
  readonly sharedFileSystem: { shares: ProjectResources<ShareRecord> };
}

/** Reads the resource. Throws the errors of a read of a single resource. */
type Read<T> = () => Promise<T>;

/** Waits for resources. Waits for resources of one kind and project share their reads. */
export class Polls {
  readonly #services: PolledServices;
  readonly #identity: Identity | IdentitySource;
  readonly #state: ReadState;

  constructor(services: PolledServices, identity: Identity | IdentitySource, state: ReadState) {
    this.#services = services;
    this.#identity = identity;
    this.#state = state;
  }

  /** Like the function `waitFor`, with a check that reads the resource. */
  waitFor<Kind extends PolledResource, T>(
    kind: Kind,
    id: string,
    check: (read: Read<PolledResources[Kind]>) => Promise<T | undefined>,
    options: WaitOptions,
  ): Promise<T> {
    return this.#reading(kind, id, (read) => waitFor(() => check(read), options));
  }

  /**
   * Like the function `waitForStatus`. Changes with the same `describe` are expected to take the same time.
   */
  waitForStatus(
    kind: PolledResource,
    id: string,
    options: Omit<StatusWaitOptions, 'durations'>,
  ): Promise<{ status: string }> {
    const { durations } = this.#state;
    return this.#reading(kind, id, (read) => waitForStatus(read, statusOf, { ...options, durations }));
  }

  /** Like the function `waitForGone`. */
  waitForGone(kind: PolledResource, id: string, options: GoneWaitOptions): Promise<void> {
    return this.#reading(kind, id, (read) => waitForGone(read, statusOf, options));
  }

  async #reading<Kind extends PolledResource, T>(
    kind: Kind,
    id: string,
    wait: (read: Read<PolledResources[Kind]>) => Promise<T>,
  ): Promise<T> {
    const reader = this.#state.reads.reader();
    const source = () => readSourceOf(this.#resources(kind) as ProjectResources<PolledResources[Kind]>);
    try {
      return await wait(async () => {
        const identity = await currentIdentity(this.#identity);
        return reader.read(`${kind} ${projectOf(identity)}`, id, source());
      });
    } finally {
      reader.close();
    }
  }

  #resources(kind: PolledResource): ProjectResources<PolledResources[PolledResource]> {
    if (kind === 'server') return this.#services.compute.servers;
    return kind === 'share' ? this.#services.sharedFileSystem.shares : this.#services.blockStorage.volumes;
  }
}

function statusOf({ status }: { status: string }): string {
  return status;
}
