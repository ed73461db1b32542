import { type Clock, sleep, systemClock } from '@gateway/core';
import type { IdentityConfig, ServiceName, TimeLimits, Tracing, UpstreamConfig } from '@gateway/platform';
import type { AdminConfig } from './administrators.ts';
import { BlockStorageClient } from './block-storage/index.ts';
import type { CallContext, UpstreamEvents } from './call.ts';
import type { Endpoints } from './catalog.ts';
import { ComputeClient } from './compute/index.ts';
import { ContainerClient } from './container/index.ts';
import { ContainerInfraClient } from './container-infra/index.ts';
import type { Identity } from './credentials/identity.ts';
import { currentIdentity, type IdentitySource } from './credentials/identity-source.ts';
import { IdentityClient } from './identity/index.ts';
import { createTokens, type Tokens } from './identity/tokens.ts';
import { ImageClient } from './image/index.ts';
import { KeyManagerClient } from './key-manager/index.ts';
import { LoadBalancerClient } from './load-balancer/index.ts';
import { Lookups } from './lookups.ts';
import { NetworkClient } from './network/index.ts';
import type { OnlyProject, ProjectPaths } from './only-project.ts';
import { OrchestrationClient } from './orchestration/index.ts';
import { PlacementClient } from './placement/index.ts';
import { Polls, ReadState } from './polling/polls.ts';
import { OddRecords } from './records/odd-records.ts';
import { ServiceClient } from './service.ts';
import { SharedFileSystemClient } from './shared-file-system/index.ts';
import { type CallLoad, createTransport, type Transport } from './transport.ts';
import { findUnsupportedMicroversions, type UnsupportedMicroversion } from './unsupported-microversions.ts';

export interface OpenstackOptions {
  identity: IdentityConfig;
  upstream: UpstreamConfig;
  timeLimits: Pick<TimeLimits, 'upstreamRequestSeconds' | 'upstreamQueueSeconds'>;
  userAgent?: string;
  forwardsClientAddress?: boolean;
  events?: UpstreamEvents;
  /** Each attempt of a call is a span of the active trace, and the service gets it in `traceparent`. */
  tracing?: Tracing | null;
  clock?: Clock;
  /** Waits between attempts; tests pass their own. */
  sleep?: typeof sleep;
}

export interface Openstack {
  /** Calls that authenticate or validate tokens, and so need no identity. */
  identity: Tokens;
  /**
   * The services with this identity. Cheap: create one per request, or one per job from an identity source.
   */
  as(identity: Identity | IdentitySource, call: CallContext): BoundClient;
  /**
   * Like `as`, limited to one project: resources of other projects are not found, even if the
   * identity can see them.
   */
  forProject(identity: Identity | IdentitySource, call: CallContext, projectId: string): ProjectClient;
  /** The services whose microversions the gateway cannot use. Needs no identity. Does not throw. */
  unsupportedMicroversions(endpoints: Endpoints, call: CallContext): Promise<UnsupportedMicroversion[]>;
  /** The load of each service by this process. */
  load(): Record<ServiceName, CallLoad>;
  /** Closes idle connections. */
  close(): void;
}

export function createOpenstack(options: OpenstackOptions): Openstack {
  const transport = createTransport({
    tls: options.identity,
    requestTimeoutMs: options.timeLimits.upstreamRequestSeconds * 1000,
    limits: options.upstream,
    maxWaitMs: options.timeLimits.upstreamQueueSeconds * 1000,
    userAgent: options.userAgent ?? 'cloud-resource-gateway',
    forwardsClientAddress: options.forwardsClientAddress ?? false,
    events: options.events,
    tracing: options.tracing ?? null,
    clock: options.clock ?? systemClock,
    sleep: options.sleep ?? sleep,
  });
  const readState = new ReadState();
  const { adminRole, adminScope } = options.identity;
  const oddRecords = new OddRecords(options.events);
  const shared = { transport, readState, oddRecords, adminConfig: { adminRole, adminScope } };
  return {
    identity: createTokens(transport, options.identity),
    as: (identity, call) => new BoundClient({ ...shared, identity, call }),
    forProject: (identity, call, projectId) =>
      new ProjectClient({ ...shared, identity, call, onlyProject: { projectId, adminRole } }),
    unsupportedMicroversions: (endpoints, call) => findUnsupportedMicroversions(transport, endpoints, call),
    load: () => transport.load(),
    close: () => transport.close(),
  };
}

interface ClientParts {
  transport: Transport;
  identity: Identity | IdentitySource;
  call: CallContext;
  readState: ReadState;
  adminConfig: AdminConfig;
  oddRecords: OddRecords;
  onlyProject?: Omit<OnlyProject, 'paths'>;
}

/**
 * The services for one identity and one request or job. Each call of a service that the catalog does not have
 * is a `MissingServiceError`.
 */
export class BoundClient {
  readonly #parts: ClientParts;
  /** Reads of single resources for waits. Simultaneous reads in one project share one call. */
  readonly polls: Polls;
  /** Lists of resources with a property. Simultaneous lists in one project share one call. */
  readonly lookups: Lookups;
  #identityClient?: IdentityClient;
  #compute?: ComputeClient;
  #image?: ImageClient;
  #blockStorage?: BlockStorageClient;
  #network?: NetworkClient;
  #container?: ContainerClient;
  #containerInfra?: ContainerInfraClient;
  #keyManager?: KeyManagerClient;
  #loadBalancer?: LoadBalancerClient;
  #sharedFileSystem?: SharedFileSystemClient;
  #placement?: PlacementClient;
  #orchestration?: OrchestrationClient;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.polls = new Polls(this, parts.identity, parts.readState);
    this.lookups = new Lookups(this, parts.identity, parts.readState.reads);
  }

  /** Whether the catalog of the identity has the service. */
  async has(service: ServiceName): Promise<boolean> {
    const { endpoints } = await currentIdentity(this.#parts.identity);
    return endpoints[service] !== undefined;
  }

  get identity(): IdentityClient {
    this.#identityClient ??= new IdentityClient(this.#client('identity'));
    return this.#identityClient;
  }

  get compute(): ComputeClient {
    this.#compute ??= new ComputeClient(this.#client('compute', ComputeClient.projectPaths));
    return this.#compute;
  }

  get image(): ImageClient {
    this.#image ??= new ImageClient(this.#client('image'));
    return this.#image;
  }

  get blockStorage(): BlockStorageClient {
    this.#blockStorage ??= new BlockStorageClient(
      this.#client('blockStorage', BlockStorageClient.projectPaths),
    );
    return this.#blockStorage;
  }

  get network(): NetworkClient {
    this.#network ??= new NetworkClient(this.#client('network', NetworkClient.projectPaths));
    return this.#network;
  }

  get sharedFileSystem(): SharedFileSystemClient {
    this.#sharedFileSystem ??= new SharedFileSystemClient(
      this.#client('sharedFileSystem', SharedFileSystemClient.projectPaths),
    );
    return this.#sharedFileSystem;
  }

  get loadBalancer(): LoadBalancerClient {
    this.#loadBalancer ??= new LoadBalancerClient(
      this.#client('loadBalancer', LoadBalancerClient.projectPaths),
    );
    return this.#loadBalancer;
  }

  get containerInfra(): ContainerInfraClient {
    this.#containerInfra ??= new ContainerInfraClient(this.#client('containerInfra'));
    return this.#containerInfra;
  }

  get placement(): PlacementClient {
    this.#placement ??= new PlacementClient(this.#client('placement'));
    return this.#placement;
  }

  get orchestration(): OrchestrationClient {
    this.#orchestration ??= new OrchestrationClient(this.#client('orchestration'));
    return this.#orchestration;
  }

  get container(): ContainerClient {
    this.#container ??= new ContainerClient(this.#client('container'));
    return this.#container;
  }

  get keyManager(): KeyManagerClient {
    this.#keyManager ??= new KeyManagerClient(this.#client('keyManager'));
    return this.#keyManager;
  }

  #client(service: ServiceName, paths: ProjectPaths = []): ServiceClient {
    const { onlyProject, transport, ...parts } = this.#parts;
    const binding = { ...parts, service, ...(onlyProject && { onlyProject: { ...onlyProject, paths } }) };
    return new ServiceClient(transport, binding);
  }
}

/**
 * The services for the resources of one project. Code that removes resources takes this client, so that it
 * never removes one that has moved to another project.
 */
export class ProjectClient extends BoundClient {
  readonly projectId: string;

  constructor(parts: ClientParts & { onlyProject: Omit<OnlyProject, 'paths'> }) {
    super(parts);
    this.projectId = parts.onlyProject.projectId;
  }
}
