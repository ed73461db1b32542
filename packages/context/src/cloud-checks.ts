import { newRequestId } from '@gateway/core';
import { type Endpoints, type Identity, type ServiceAccount, serviceNames } from '@gateway/openstack';
import type {
  CloudChecks as Answers,
  Config,
  Logger,
  LogInOutcome,
  Metrics,
  ServiceName,
} from '@gateway/platform';

export type ServiceUserState = 'ok' | 'refused' | 'not_administrator' | 'unknown';

export type RegionState = 'ok' | 'not_in_catalog' | 'unknown';

interface CloudChecksParts {
  config: Pick<Config, 'identity' | 'serviceUser'>;
  logger: Logger;
  metrics: Pick<Metrics, 'observeCloudChecks' | 'serviceUserLoggedIn'>;
}

/**
 * What this process knows about the settings of its cloud: whether the service user can log in and is an
 * administrator, and whether the catalog has the region. Each is logged when it changes. A log-in without an
 * answer changes nothing: other metrics show that.
 */
export class CloudChecks {
  readonly #parts: CloudChecksParts;
  readonly #expected: readonly ServiceName[];
  #serviceUser: ServiceUserState = 'unknown';
  #region: RegionState = 'unknown';

  constructor(parts: CloudChecksParts) {
    const { endpoints } = parts.config.identity;
    this.#parts = parts;
    this.#expected = serviceNames.filter((name) => name !== 'identity' && endpoints[name] === undefined);
    parts.metrics.observeCloudChecks(async () => this.#answers());
  }

  /** Null without a configured service user. */
  get serviceUser(): ServiceUserState | null {
    return this.#parts.config.serviceUser === null ? null : this.#serviceUser;
  }

  get region(): RegionState {
    return this.#region;
  }

  /** Called after each log-in of the service user to its own project. */
  loggedIn(outcome: LogInOutcome, identity: Identity | null): void {
    this.#parts.metrics.serviceUserLoggedIn(outcome);
    if (outcome === 'failed') return;
    const { adminRole } = this.#parts.config.identity;
    const isAdministrator = identity?.roles.includes(adminRole) === true;
    this.#changeServiceUser(identity === null ? 'refused' : isAdministrator ? 'ok' : 'not_administrator');
    if (identity !== null) this.sawEndpoints(identity.endpoints);
  }

  /** Called with the services of each catalog of a project that this process has seen. */
  sawEndpoints(endpoints: Endpoints): void {
    const isThere = this.#expected.length === 0 || this.#expected.some((name) => endpoints[name]);
    const region = isThere ? 'ok' : 'not_in_catalog';
    if (region === this.#region) return;
    this.#region = region;
    const { interface: wanted, region: name } = this.#parts.config.identity;
    if (!isThere) {
      this.#parts.logger.error(
        `The catalog of the cloud has no service with the interface "${wanted}" in the region "${name}": correct identity.region (OS_REGION_NAME) or identity.interface (OS_INTERFACE).`,
      );
    }
  }

  #changeServiceUser(state: ServiceUserState): void {
    const before = this.#serviceUser;
    if (state === before) return;
    this.#serviceUser = state;
    const { config, logger } = this.#parts;
    const about = { username: config.serviceUser?.username, project: config.serviceUser?.projectName };
    if (state === 'refused') {
      logger.error(
        'The identity service refuses the service user: its name, password or project is wrong, or it has no role in its project. Jobs wait, and auto backups and prebuilt libraries do not work.',
        about,
      );
    } else if (state === 'not_administrator') {
      logger.warn(
        `The service user does not have the role "${config.identity.adminRole}" in its project: what jobs have created stays where neither token nor delegation of their user works any more.`,
        about,
      );
    } else if (before !== 'unknown') {
      logger.info('The service user works again', about);
    }
  }

  #answers(): Answers {
    const state = this.serviceUser ?? 'unknown';
    const isKnown = state !== 'unknown';
    return {
      serviceUserWorks: isKnown ? state !== 'refused' : null,
      serviceUserIsAdministrator: isKnown && state !== 'refused' ? state === 'ok' : null,
      regionInCatalog: this.#region === 'unknown' ? null : this.#region === 'ok',
    };
  }
}

/** Lets the service user log in now, and at intervals for as long as the process runs. */
export function watchServiceUser({
  serviceAccount,
  config: { serviceUser },
}: {
  serviceAccount: ServiceAccount;
  config: Pick<Config, 'serviceUser'>;
}): void {
  if (serviceUser === null) return;
  // The service account reports the outcome.
  const logIn = () => void serviceAccount.renew({ requestId: newRequestId() }).catch(() => {});
  logIn();
  setInterval(logIn, serviceUser.checkSeconds * 1000).unref();
}
