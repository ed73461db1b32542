import { Reconnection } from './reconnection.ts';
import type { Endpoint, ResponseBody } from './request-types.ts';
import type { ProjectChanges, ResourceChange, WatchedType } from './watch.ts';

/** The lists whose changes can be watched, and the types of the events that say so. */
export const listTypes = {
  'GET /api/images': 'image',
  'GET /api/instances': 'instance',
  'GET /api/jobs': 'job',
  'GET /api/keypairs': 'keypair',
  'POST /api/volumes/backups/auto-backup/configs': 'auto_backup',
  'GET /api/volumes/backups': 'backup',
  'GET /api/volumes/transfers': 'transfer',
  'GET /api/volumes': 'volume',
  'GET /api/volume-snapshots': 'snapshot',
  'GET /api/networks/floating-ips': 'floating_ip',
  'GET /api/networks': 'network',
  'GET /api/routers': 'router',
  'GET /api/security-groups': 'security_group',
  'GET /api/file-storage': 'file_storage',
  'GET /api/loadbalancers': 'load_balancer',
  'GET /api/loadbalancers/{lb_id}/listeners': 'load_balancer',
  'GET /api/loadbalancers/{lb_id}/pools': 'load_balancer',
  'GET /api/loadbalancers/{lb_id}/pools/{pool_id}/members': 'load_balancer',
  'GET /api/clusters': 'cluster',
  'GET /api/containers': 'container',
  'GET /api/lite/clusters': 'lite_cluster',
} as const satisfies Partial<Record<Endpoint, WatchedType>>;

/** A list whose changes can be watched, such as `GET /api/instances`. */
export type WatchableList = keyof typeof listTypes;

/** A list, and why it was read. */
export interface WatchedList<Name extends Endpoint> {
  rows: ResponseBody<Name>;
  /** The changes since the list was read before; empty if it was read for another reason. */
  changes: ResourceChange[];
}

/** Changes that come this close together cost one read. */
const BATCH_MS = 50;

interface ListReading<Name extends Endpoint> {
  events: ProjectChanges;
  read: () => Promise<ResponseBody<Name>>;
  /** The resource that the list is part of, such as the load balancer of a pool; undefined for all rows. */
  of: string | undefined;
  signal: AbortSignal;
  /** The longest wait before a read that has failed is repeated. */
  maxDelayMs: number | undefined;
}

/**
 * The list, and the list again after each change. A read that fails for the moment is repeated.
 * @throws errors of the gateway that a retry would repeat
 */
export async function* watchedList<Name extends Endpoint>({
  events,
  maxDelayMs,
  of,
  read,
  signal,
}: ListReading<Name>): AsyncGenerator<WatchedList<Name>, void, void> {
  const repetition = new Reconnection({ signal, maxDelayMs, giveUpAfterMs: Number.POSITIVE_INFINITY });
  for await (const batch of batches(concerning(of, events))) {
    let rows: ResponseBody<Name> | undefined;
    while (rows === undefined) {
      try {
        rows = await read();
        repetition.reset();
      } catch (error) {
        await repetition.wait(error);
      }
    }
    const changes = batch.filter((event) => event.change !== 'reset');
    yield { rows, changes: changes.length === batch.length ? changes : [] };
  }
}

/** The first parameter of the path of a list names the resource that it is part of. */
export function ownerIn(endpoint: WatchableList, path: Record<string, unknown> = {}): string | undefined {
  const name = /\{(\w+)\}/.exec(endpoint)?.[1];
  return name === undefined ? undefined : String(path[name]);
}

async function* concerning(id: string | undefined, events: ProjectChanges): ProjectChanges {
  for await (const event of events) {
    if (event.change === 'reset' || id === undefined || event.id === id) yield event;
  }
}

/** What has come since the batch before. The first batch, which is a reset, does not wait for more. */
async function* batches<Item>(items: AsyncGenerator<Item, void, void>): AsyncGenerator<Item[], void, void> {
  let next = items.next();
  let waitMs = 0;
  try {
    for (let first = await next; !first.done; first = await next) {
      const batch = [first.value];
      next = items.next();
      const end = new Promise<null>((resolve) => setTimeout(resolve, waitMs, null));
      for (
        let more = await Promise.race([next, end]);
        more !== null;
        more = await Promise.race([next, end])
      ) {
        if (more.done) break;
        batch.push(more.value);
        next = items.next();
      }
      yield batch;
      waitMs = BATCH_MS;
    }
  } finally {
    // Nobody awaits the next item any more. An item that has come already keeps its source open, and
    // waiting for one that has not would wait for the signal of the list.
    next.catch(() => {});
    items.return().catch(() => {});
  }
}
