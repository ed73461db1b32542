import type { CloudChecks } from '@gateway/context';
import { type Clock, isYetToCome, SingleFlight, withinTime } from '@gateway/core';
import type { Endpoints, Identity, ServiceAccount } from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';

/** How long a request without a token waits for the log-in of the service user. */
const WAIT_MS = 2000;
/** The pause after a failed log-in. */
const RETRY_MS = 30_000;

/**
 * The services of the cloud, from the last catalog that this process has seen: every token of a project comes
 * with one.
 */
export class SeenCatalog {
  readonly #serviceAccount: ServiceAccount;
  readonly #clock: Clock;
  readonly #checks: Pick<CloudChecks, 'sawEndpoints'>;
  #endpoints: Endpoints | null = null;
  readonly #reads = new SingleFlight<void>();
  #retryAt = 0;

  constructor(serviceAccount: ServiceAccount, clock: Clock, checks: Pick<CloudChecks, 'sawEndpoints'>) {
    this.#serviceAccount = serviceAccount;
    this.#clock = clock;
    this.#checks = checks;
  }

  see({ endpoints, projectId }: Pick<Identity, 'endpoints' | 'projectId'>): void {
    if (projectId === '') return;
    this.#endpoints = endpoints;
    this.#checks.sawEndpoints(endpoints);
  }

  /** The services of the cloud; all services while no catalog is known. */
  async services(requestId: string): Promise<(service: ServiceName) => boolean> {
    const endpoints = await this.endpoints(requestId);
    return (service) => endpoints === null || endpoints[service] !== undefined;
  }

  /**
   * The addresses of the services; null while no catalog is known. If this process has seen no catalog,
   * requests that of the service user.
   */
  async endpoints(requestId: string): Promise<Endpoints | null> {
    if (this.#endpoints === null && !isYetToCome(this.#retryAt, RETRY_MS, this.#clock)) {
      await this.#reads.run('', () => this.#readCatalog(requestId));
    }
    return this.#endpoints;
  }

  /**
   * Never throws: the rest of a configuration does not need the identity service, which may be unavailable.
   */
  async #readCatalog(requestId: string): Promise<void> {
    const identity = this.#serviceAccount.identity({ requestId }).catch(() => null);
    const found = await withinTime(identity, WAIT_MS, () => null);
    if (found !== null) this.see(found);
    else this.#retryAt = this.#clock.now() + RETRY_MS;
  }
}
