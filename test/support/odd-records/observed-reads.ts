import { declaredRecords } from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';
import { RecordReader } from '../../../packages/openstack/src/records/record.ts';
import type { CloudResponse } from '../doubles/rewriting-cloud.ts';

type Declaration = ReturnType<typeof declaredRecords>[number];
type Path = readonly (string | number)[];

/** Where the cloud sends a record that the gateway reads. */
export interface Place {
  record: Declaration;
  /** The path of the request, without its query. */
  url: string;
  /** The list that has the record as its item, or null. */
  list: Path | null;
  /** Where the record is in the item, or else in the body. */
  within: Path;
  row: Record<string, unknown>;
  /** Those that have read it: of all its fields, or of those that were asked for. */
  readers: Set<RecordReader<unknown>>;
}

/** The first part of the path of each service of the simulated cloud. */
const services: Record<string, ServiceName> = {
  compute: 'compute',
  container: 'container',
  'container-infra': 'containerInfra',
  identity: 'identity',
  image: 'image',
  'key-manager': 'keyManager',
  'load-balancer': 'loadBalancer',
  network: 'network',
  placement: 'placement',
  share: 'sharedFileSystem',
  volume: 'blockStorage',
};

/** Whether no reader of the place leaves the row out. */
export function isReadable({ readers, within }: Place, row: object): boolean {
  const sent = within.reduceRight<unknown>((value, key) => ({ [key]: value }), row);
  return [...readers].every(({ schema }) => schema.safeParse(row).success || schema.safeParse(sent).success);
}

/** Learns which records the clients in this process read, and from which responses. */
export class ObservedReads {
  readonly #reads: { reader: RecordReader<unknown>; sent: string }[] = [];
  readonly #responses: CloudResponse[] = [];
  readonly #read = RecordReader.prototype.read;

  constructor() {
    const reads = this.#reads;
    const read = this.#read;
    RecordReader.prototype.read = function (sent) {
      if (typeof sent === 'object') reads.push({ reader: this, sent: JSON.stringify(sent) });
      return read.call(this, sent);
    };
  }

  respond(response: CloudResponse): void {
    if (response.method === 'GET') this.#responses.push(response);
  }

  /** The places of what was read since the last call. */
  take(): Place[] {
    const sent = new Map<string, { response: CloudResponse; path: Path }>();
    for (const response of this.#responses.splice(0)) {
      for (const [path, value] of objectsIn(response.body)) {
        sent.set(JSON.stringify(value), { response, path });
      }
    }
    const places = new Map<string, Place>();
    for (const { reader, sent: text } of this.#reads.splice(0)) {
      const found = sent.get(text);
      const place = found && placeOf(reader, JSON.parse(text), found.response, found.path);
      if (place === undefined) continue;
      const id = JSON.stringify([place.record.services, reader.name, place.url, place.list, place.within]);
      const known = places.get(id);
      if (known === undefined) places.set(id, place);
      else known.readers.add(reader);
    }
    return [...places.values()];
  }

  stop(): void {
    RecordReader.prototype.read = this.#read;
  }
}

function placeOf(
  reader: RecordReader<unknown>,
  sent: Record<string, unknown>,
  { path: url }: CloudResponse,
  path: Path,
): Place | undefined {
  const service = services[url.split('/')[1] ?? ''];
  const record = declaredRecords().find(
    (each) => each.name === reader.name && service !== undefined && each.services.includes(service),
  );
  if (record === undefined) return undefined;
  const readers = new Set([reader]);
  const index = path.findLastIndex((part) => typeof part === 'number');
  const list = index === -1 ? null : path.slice(0, index);
  const item = path.slice(index + 1);
  if (Object.keys(record.fields).some((field) => field in sent)) {
    return { record, url, list, within: item, row: sent, readers };
  }
  const [[key, row] = []] = Object.entries(sent);
  if (key === undefined || typeof row !== 'object' || row === null) return undefined;
  return { record, url, list, within: [...item, key], row: row as Record<string, unknown>, readers };
}

function* objectsIn(value: unknown, path: Path = []): Generator<[Path, object]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value];
  for (const [key, part] of Object.entries(value)) {
    yield* objectsIn(part, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}
