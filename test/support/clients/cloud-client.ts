import type { TestLogin } from '../stacks/test-stack.ts';

/**
 * Calls the cloud directly, without code of the gateway. Tests use it to prepare resources and
 * to check for leftovers.
 */
export class CloudClient {
  readonly #token: string;
  readonly #endpoints: ReadonlyMap<string, string>;
  readonly projectId: string;
  readonly userId: string;

  private constructor(
    token: string,
    { project, user }: TokenBody['token'],
    endpoints: ReadonlyMap<string, string>,
  ) {
    this.#token = token;
    this.projectId = project.id;
    this.userId = user.id;
    this.#endpoints = endpoints;
  }

  get token(): string {
    return this.#token;
  }

  static async logIn(
    identityUrl: string,
    { username, password, projectName }: TestLogin,
  ): Promise<CloudClient> {
    const domain = { name: 'Default' };
    const response = await fetch(`${identityUrl.replace(/\/v3\/?$/, '')}/v3/auth/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        auth: {
          identity: { methods: ['password'], password: { user: { name: username, domain, password } } },
          scope: { project: { name: projectName, domain } },
        },
      }),
    });
    if (response.status !== 201) throw new Error(`The cloud refused ${username} with ${response.status}.`);
    const { token } = (await response.json()) as TokenBody;
    const endpoints = token.catalog.map(
      ({ type, endpoints: known }) =>
        [type, known.find((candidate) => candidate.interface === 'public')?.url ?? ''] as const,
    );
    return new CloudClient(response.headers.get('x-subject-token') ?? '', token, new Map(endpoints));
  }

  /** @throws when the status is neither 2xx nor in `accept` */
  async call<T>(
    service: ServiceType,
    method: string,
    path: string,
    body?: unknown,
    accept: number[] = [],
  ): Promise<T> {
    const response = await fetch(`${this.#endpoints.get(service)}${path}`, {
      method,
      headers: {
        'x-auth-token': this.#token,
        ...(VERSIONS[service] !== undefined && { 'openstack-api-version': VERSIONS[service] }),
        'x-openstack-manila-api-version': '2.65',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok && !accept.includes(response.status)) {
      throw new Error(`${method} ${service} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    }
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Whether the cloud offers a service. */
  has(service: ServiceType): boolean {
    return this.#endpoints.has(service);
  }

  /** The public endpoint of a service in the catalog. */
  endpointOf(service: ServiceType): string {
    return this.#endpoints.get(service) ?? '';
  }

  /** Revokes the token of another log-in. */
  async revokeToken(token: string): Promise<void> {
    const response = await fetch(`${this.#endpoints.get('identity')}/auth/tokens`, {
      method: 'DELETE',
      headers: { 'x-auth-token': this.#token, 'x-subject-token': token },
    });
    if (!response.ok) throw new Error(`The revocation of a token answered ${response.status}.`);
  }

  /** Uploads data. */
  async upload(service: ServiceType, path: string, data: string): Promise<void> {
    const response = await fetch(`${this.#endpoints.get(service)}${path}`, {
      method: 'PUT',
      headers: { 'x-auth-token': this.#token, 'content-type': 'application/octet-stream' },
      body: data,
    });
    if (!response.ok) throw new Error(`PUT ${service} ${path} answered ${response.status}.`);
  }

  /**
   * Ids of all resources that a creation can leave in this project. `shareIds` adds the
   * access rules of shares.
   */
  async resourceIds(shareIds: readonly string[] = []): Promise<ResourceIds> {
    const [servers, volumes, shares, floatingIps, ports] = await Promise.all([
      this.#ids('compute', '/servers', 'servers'),
      this.#ids('volumev3', '/volumes', 'volumes'),
      this.#ids('sharev2', '/shares', 'shares'),
      this.#ids('network', `/v2.0/floatingips?project_id=${this.projectId}`, 'floatingips'),
      this.#ids('network', `/v2.0/ports?project_id=${this.projectId}`, 'ports'),
    ]);
    const own = await Promise.all([...new Set([...shares, ...shareIds])].map((id) => this.accessRules(id)));
    return { servers, volumes, shares, floatingIps, ports, accessRules: own.flat().sort() };
  }

  /** Ids of a share's access rules; empty when the share does not exist. */
  async accessRules(shareId: string): Promise<string[]> {
    const { access_list: rules = [] } =
      (await this.call<{ access_list?: { id: string }[] }>(
        'sharev2',
        'GET',
        `/share-access-rules?share_id=${shareId}`,
        undefined,
        [404],
      )) ?? {};
    return rules.map(({ id }) => id);
  }

  /** Ids of the trusts of this user as trustor. */
  async trusts(): Promise<string[]> {
    return this.#ids('identity', `/OS-TRUST/trusts?trustor_user_id=${this.userId}`, 'trusts');
  }

  async #ids(service: ServiceType, path: string, field: string): Promise<string[]> {
    const answer = await this.call<Record<string, { id: string }[]>>(service, 'GET', path);
    return (answer[field] ?? []).map(({ id }) => id).sort();
  }
}

/** Other services refuse a version of this header that is not theirs. */
const VERSIONS: Partial<Record<ServiceType, string>> = {
  compute: 'compute 2.79',
  volumev3: 'volume 3.59',
  placement: 'placement 1.29',
};

export type ServiceType =
  | 'identity'
  | 'compute'
  | 'volumev3'
  | 'sharev2'
  | 'network'
  | 'placement'
  | 'image'
  | 'load-balancer'
  | 'key-manager'
  | 'container-infra'
  | 'container';

export interface ResourceIds {
  servers: string[];
  volumes: string[];
  shares: string[];
  floatingIps: string[];
  ports: string[];
  accessRules: string[];
}

interface TokenBody {
  token: {
    project: { id: string };
    user: { id: string };
    catalog: { type: string; endpoints: { interface: string; url: string }[] }[];
  };
}
