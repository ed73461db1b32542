import {
  ApplicationCredentialIdentities,
  CredentialMakers,
  createOpenstack,
  Delegations,
  type Openstack,
  ServiceAccount,
} from '@gateway/openstack';
import { CloudChecks } from './cloud-checks.ts';
import type { StartedProcess } from './process-parts.ts';

/** The cloud, and the identities with which the gateway uses it. */
export interface Cloud {
  readonly openstack: Openstack;
  readonly serviceAccount: ServiceAccount;
  readonly cloudChecks: CloudChecks;
  readonly delegations: Delegations;
  readonly credentialMakers: CredentialMakers;
  readonly applicationCredentials: ApplicationCredentialIdentities;
}

export interface CloudOptions {
  /** Whether services get the addresses of clients. */
  forwardsClientAddress?: boolean;
}

export function openCloud(
  { config, logger, metrics, tracing, clock, closers }: StartedProcess,
  { forwardsClientAddress }: CloudOptions,
): Cloud {
  const openstack = createOpenstack({
    forwardsClientAddress,
    identity: config.identity,
    upstream: config.upstream,
    timeLimits: config.timeLimits,
    clock,
    events: {
      onResponse: (call) => metrics.upstreamCall(call),
      onOddRecord({ service, record, row, isRepeated, requestId }) {
        metrics.oddRecord({ service, record });
        if (!isRepeated) {
          logger.warn('A row was left out of a list because it cannot be read', {
            service,
            record,
            row,
            request_id: requestId,
          });
        }
      },
    },
    tracing,
  });
  closers.add('openstack', () => openstack.close());
  metrics.observeUpstream(async () => openstack.load());
  const cloudChecks = new CloudChecks({ config, logger, metrics });
  const serviceAccount = new ServiceAccount(openstack, config, clock, {
    onLogIn: (outcome, identity) => cloudChecks.loggedIn(outcome, identity),
  });
  const delegations = new Delegations({
    openstack,
    serviceAccount,
    clock,
    onOutcome(outcome, error) {
      // Without a service user there is no request to the identity service.
      if (outcome !== 'no_service_user') metrics.delegationAsked(outcome);
      if (outcome !== 'created') logger.warn('There is no delegation', { cause: outcome, error });
    },
  });
  const credentialMakers = new CredentialMakers(openstack, serviceAccount);
  const applicationCredentials = new ApplicationCredentialIdentities(openstack, clock);
  return { openstack, serviceAccount, cloudChecks, delegations, credentialMakers, applicationCredentials };
}
