import type { ServerRecord } from './compute/index.ts';
import type { Identity } from './credentials/identity.ts';
import { currentIdentity, type IdentitySource, projectOf } from './credentials/identity-source.ts';
import type { FloatingIpRecord, PortRecord } from './network/index.ts';
import { type ProjectResources, type ReadSource, readSourceOf, type SharedReads } from './shared-reads.ts';

/** The services of one identity. */
interface LookupServices {
  readonly compute: {
    servers: ProjectResources<ServerRecord> & {
      listByName(names: readonly string[]): Promise<ServerRecord[]>;
      listIdsByName(names: readonly string[]): Promise<{ id: string; name: string }[]>;
    };
  };
  readonly network: {
    floatingIps: { list(query: { project_id: readonly string[] }): Promise<FloatingIpRecord[]> };
    ports: { list(query: { [filter in PortFilter]?: readonly string[] }): Promise<PortRecord[]> };
  };
}

type PortFilter = 'description' | 'device_id';

/** The lists take any number of values. */
interface ListBy<Row> {
  /** The resources with one of these values. */
  list(values: readonly string[]): Promise<Row[]>;
  /** Null for a row that does not say it, which nobody finds. */
  keyOf(row: Row): string | null;
}

/** The rows with one value of a property. */
interface Found<Row> {
  id: string;
  rows: Row[];
}

/** The encoded length of the values that fit into the URL of a request. */
const MAX_VALUES_LENGTH = 4_000;

/**
 * Finds a project's resources by a property. Jobs of a user that look up at about the same time share their
 * calls: thirty deletions send a few lists instead of four lists each. Callers with other rights do not share
 * a list, because a service omits what a caller may not see without an error.
 */
export class Lookups {
  readonly #services: LookupServices;
  readonly #identity: Identity | IdentitySource;
  readonly #reads: SharedReads;

  constructor(services: LookupServices, identity: Identity | IdentitySource, reads: SharedReads) {
    this.#services = services;
    this.#identity = identity;
    this.#reads = reads;
  }

  /** @throws 404 when the server does not exist */
  server(id: string): Promise<ServerRecord> {
    return this.#read('server', id, readSourceOf(this.#services.compute.servers));
  }

  /** Servers with exactly this name. */
  servers(name: string): Promise<ServerRecord[]> {
    const { servers } = this.#services.compute;
    return this.#find('servers by name', name, {
      list: (names) => servers.listByName(names),
      keyOf: (server) => server.name,
    });
  }

  /** The ids of the same servers, for much less work of the service. */
  async serverIds(name: string): Promise<string[]> {
    const { servers } = this.#services.compute;
    const found = await this.#find('server ids by name', name, {
      list: (names) => servers.listIdsByName(names),
      keyOf: (server) => server.name,
    });
    return found.map(({ id }) => id);
  }

  ports(filter: PortFilter, value: string): Promise<PortRecord[]> {
    const { ports } = this.#services.network;
    return this.#find(`ports by ${filter}`, value, {
      list: (values) => ports.list({ [filter]: values }),
      keyOf: (port) => port[filter],
    });
  }

  /** All floating IPs of the project: they are scarce, and one list answers every question about them. */
  floatingIps(projectId: string): Promise<FloatingIpRecord[]> {
    const { floatingIps } = this.#services.network;
    return this.#find('floating IPs', projectId, {
      list: (projectIds) => floatingIps.list({ project_id: projectIds }),
      keyOf: (floatingIp) => floatingIp.project_id,
    });
  }

  async #find<Row>(kind: string, value: string, { list, keyOf }: ListBy<Row>): Promise<Row[]> {
    const findAll = async (values: readonly string[]): Promise<Found<Row>[]> => {
      const rows = (await Promise.all(partsOf(values).map(list))).flat();
      const rowsByValue = Map.groupBy(rows, keyOf);
      return values.map((id) => ({ id, rows: rowsByValue.get(id) ?? [] }));
    };
    const findOne = async (id: string) => (await findAll([id]))[0] ?? { id, rows: [] };
    const { rows } = await this.#read<Found<Row>>(kind, value, { list: findAll, get: findOne });
    return rows;
  }

  async #read<T extends { id: string }>(kind: string, id: string, source: ReadSource<T>): Promise<T> {
    const identity = await currentIdentity(this.#identity);
    const rights = JSON.stringify([projectOf(identity), identity.userId, ...identity.roles]);
    const reader = this.#reads.reader();
    try {
      return await reader.read(`${kind} ${rights}`, id, source);
    } finally {
      reader.close();
    }
  }
}

/** Splits the values of a filter, so that each part fits into a URL. */
function partsOf(values: readonly string[]): string[][] {
  const parts: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const value of values) {
    const added = encodeURIComponent(value).length;
    length += added;
    if (length > MAX_VALUES_LENGTH) {
      parts.push([]);
      length = added;
    }
    parts.at(-1)?.push(value);
  }
  return parts;
}
