import type { ListPage } from '../pagination.ts';
import { key, text } from '../records/fields.ts';
import { RecordReader } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { type PageQuery, path } from '../url.ts';
import {
  type CreatedServer,
  createdServer,
  type RemoteConsole,
  remoteConsole,
  type ServerCreate,
  type ServerQuery,
  type ServerRecord,
  serverRecord,
} from './server-records.ts';

/** Newer than the pinned microversion, so that only these two actions need a newer service. */
const REBUILDS_VOLUMES = '2.93';
const RESCUES_VOLUMES = '2.87';

const imageId = new RecordReader('image_id', key());
const output = new RecordReader('console_output', text());

export class Servers {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(query?: ServerQuery): Promise<ServerRecord[]> {
    return this.#compute.list('servers.list', '/servers/detail', 'servers', serverRecord, query);
  }

  /** Like `list`, but maps each server as its page arrives: for lists of the whole cloud. */
  listAs<Row>(present: (server: ServerRecord) => Row, query?: ServerQuery): Promise<Row[]> {
    return this.#compute.listAs('servers.list', '/servers/detail', 'servers', serverRecord, present, query);
  }

  listPage(query: ServerQuery & PageQuery): Promise<ListPage<ServerRecord>> {
    return this.#compute.page('servers.listPage', '/servers/detail', 'servers', serverRecord, query);
  }

  /** Servers with exactly one of these names. */
  async listByName(name: string | readonly string[], query?: ServerQuery): Promise<ServerRecord[]> {
    const names = [name].flat();
    const servers = await this.list({ ...query, name: patternOf(names) });
    return servers.filter((server) => names.includes(server.name));
  }

  /** The ids and names of servers with exactly one of these names. */
  async listIdsByName(names: readonly string[]): Promise<{ id: string; name: string }[]> {
    const servers = await this.#compute.list(
      'servers.listIds',
      '/servers',
      'servers',
      serverRecord.only(['id', 'name']),
      { name: patternOf(names) },
    );
    return servers.filter((server) => names.includes(server.name));
  }

  get(id: string): Promise<ServerRecord> {
    return this.#compute.getRecord('servers.get', path`/servers/${id}`, 'server', serverRecord);
  }

  create({ serverGroupId: group, ...server }: ServerCreate): Promise<CreatedServer> {
    return this.#compute.postRecord('servers.create', '/servers', 'server', createdServer, {
      server,
      ...(group !== undefined && { 'os:scheduler_hints': { group } }),
    });
  }

  rename(id: string, name: string): Promise<ServerRecord> {
    const body = { server: { name } };
    return this.#compute.putRecord('servers.update', path`/servers/${id}`, 'server', serverRecord, {
      body,
    });
  }

  remove(id: string): Promise<void> {
    return this.#compute.remove('servers.remove', path`/servers/${id}`);
  }

  /** Also deletes a soft-deleted server. */
  forceDelete(id: string): Promise<void> {
    return this.#action('servers.forceDelete', id, { forceDelete: null });
  }

  start(id: string): Promise<void> {
    return this.#action('servers.start', id, { 'os-start': null });
  }

  stop(id: string): Promise<void> {
    return this.#action('servers.stop', id, { 'os-stop': null });
  }

  reboot(id: string, type: 'SOFT' | 'HARD'): Promise<void> {
    return this.#action('servers.reboot', id, { reboot: { type } });
  }

  shelve(id: string): Promise<void> {
    return this.#action('servers.shelve', id, { shelve: null });
  }

  unshelve(id: string): Promise<void> {
    return this.#action('servers.unshelve', id, { unshelve: null });
  }

  /** Afterwards the server waits in the state `resized` for one of the next two actions. */
  resize(id: string, flavorId: string): Promise<void> {
    return this.#action('servers.resize', id, { resize: { flavorRef: flavorId } });
  }

  confirmResize(id: string): Promise<void> {
    return this.#action('servers.confirmResize', id, { confirmResize: null });
  }

  revertResize(id: string): Promise<void> {
    return this.#action('servers.revertResize', id, { revertResize: null });
  }

  /**
   * Moves a running server to a host that the scheduler chooses, without interruption; for administrators, as
   * the next two. The service responds before it has chosen; only the migration shows a failure.
   */
  migrateLive(id: string): Promise<void> {
    return this.#action('servers.migrateLive', id, {
      'os-migrateLive': { host: null, block_migration: 'auto' },
    });
  }

  /** Moves a stopped server. Afterwards it waits in the state `resized`, as after a resize. */
  migrate(id: string): Promise<void> {
    return this.#action('servers.migrate', id, { migrate: null });
  }

  /**
   * Builds the server anew on another host, from its volumes or its image. Throws a 400 while the service on
   * its host is up.
   */
  evacuate(id: string): Promise<void> {
    return this.#action('servers.evacuate', id, { evacuate: {} });
  }

  /** Keeps the user data. Older services cannot fill a boot volume from another image. */
  rebuild(id: string, imageId: string): Promise<void> {
    return this.#action('servers.rebuild', id, { rebuild: { imageRef: imageId } }, REBUILDS_VOLUMES);
  }

  /** Older services cannot rescue a server that boots from a volume. */
  rescue(id: string, imageId: string, adminPass?: string): Promise<void> {
    const rescue = { rescue_image_ref: imageId, ...(adminPass !== undefined && { adminPass }) };
    return this.#action('servers.rescue', id, { rescue }, RESCUES_VOLUMES);
  }

  unrescue(id: string): Promise<void> {
    return this.#action('servers.unrescue', id, { unrescue: null });
  }

  /** Only administrators can act on a locked server. */
  lock(id: string, reason?: string): Promise<void> {
    return this.#action('servers.lock', id, { lock: reason ? { locked_reason: reason } : null });
  }

  /** Throws a 403 for a server that an administrator has locked. */
  unlock(id: string): Promise<void> {
    return this.#action('servers.unlock', id, { unlock: null });
  }

  /**
   * Uploads the disk of a server that boots from an image into a new private image. Returns its id at once.
   * Needs microversion 2.45.
   */
  createImage(id: string, name: string): Promise<string> {
    const body = { createImage: { name } };
    return this.#compute.postRecord(
      'servers.createImage',
      path`/servers/${id}/action`,
      'image_id',
      imageId,
      body,
    );
  }

  /** The last `lines` of the console log; the whole log by default. */
  async consoleLog(id: string, lines?: number): Promise<string> {
    const body = { 'os-getConsoleOutput': lines === undefined ? {} : { length: lines } };
    return this.#compute.postRecord(
      'servers.consoleLog',
      path`/servers/${id}/action`,
      'output',
      output,
      body,
    );
  }

  /** The URL holds a secret. */
  remoteConsole(id: string, console: { protocol: string; type: string }): Promise<RemoteConsole> {
    return this.#compute.postRecord(
      'servers.remoteConsole',
      path`/servers/${id}/remote-consoles`,
      'remote_console',
      remoteConsole,
      { remote_console: console },
    );
  }

  #action(operation: string, id: string, body: unknown, microversion?: string): Promise<void> {
    const options = { body, microversion };
    return this.#compute.requestVoid('POST', operation, path`/servers/${id}/action`, options);
  }
}

/** The service compares names with a regular expression. */
function patternOf(names: readonly string[]): string {
  return names.map((name) => `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`).join('|');
}
