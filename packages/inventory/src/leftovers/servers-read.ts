import { parseOverlayMetadata } from '@gateway/libraries';
import type { ServerRecord } from '@gateway/openstack';
import { hasMark, type MarkedResource, toMarkedServer } from '../kinds/index.ts';
import type { ServerMarks } from './judge.ts';

/** The information about other resources in a list of servers, and the servers that have a mark. */
export class ServersRead implements ServerMarks {
  readonly ids = new Set<string>();
  readonly jobIds = new Set<string>();
  readonly layerIds = new Set<string>();
  readonly unreadProjects = new Set<string>();
  readonly marked: MarkedResource[] = [];
  readonly #isWanted: (id: string) => boolean;

  /**
   * @param isWanted whether the result contains a server without a mark
   */
  constructor(isWanted: (id: string) => boolean = () => false) {
    this.#isWanted = isWanted;
  }

  add(server: ServerRecord): void {
    const { id, metadata, tenant_id } = server;
    this.ids.add(id);
    if (metadata === null) this.unreadProjects.add(tenant_id);
    else for (const shareId of parseOverlayMetadata(metadata).shareIds) this.layerIds.add(shareId);
    const resource = toMarkedServer(server);
    if (resource.jobId !== null) this.jobIds.add(resource.jobId);
    if (hasMark(resource) || this.#isWanted(id)) this.marked.push(resource);
  }
}
