import type { AnyEndpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import type { ApiResponse } from '../clients/gateway-client.ts';
import type { RewritingCloud } from '../doubles/rewriting-cloud.ts';
import { ExpectedRows, faultOf, type Judge } from './judge.ts';
import type { ObservedReads, Place } from './observed-reads.ts';
import { type OddRow, oddRows, withFreshKeys } from './odd-rows.ts';
import { oddValues } from './odd-values.ts';
import { placeRows } from './place-rows.ts';

export type Send = () => Promise<ApiResponse>;

const KINDS = Object.keys(oddValues).length;

/** How many failing rows of one list are named. */
const MAX_NAMED = 8;

/** Sends odd records in the responses of the cloud, and says what they break. */
export class Sweep {
  readonly #cloud: RewritingCloud;
  readonly #observed: ObservedReads;
  readonly #isWhole: boolean;
  readonly #records = new Set<unknown>();
  #rows = 0;
  #answers = 0;
  #failing = 0;

  /** @param isWhole every odd value of records that are read alone, not one for each field */
  constructor(cloud: RewritingCloud, observed: ObservedReads, isWhole: boolean) {
    this.#cloud = cloud;
    this.#observed = observed;
    this.#isWhole = isWhole;
  }

  get summary(): string {
    const { size } = this.#records;
    return `${size} records, ${this.#rows} odd rows, ${this.#answers} answers, ${this.#failing} failing`;
  }

  /**
   * Repeats a request with each record that it reads made odd. Returns what fails, by record and value.
   *
   * @param needsAll a 502 is right where a row cannot be read
   * @throws if the request fails without any odd record
   */
  async read(endpoint: AnyEndpoint, needsAll: boolean, send: Send): Promise<string[]> {
    const usual = await this.#observe(send);
    const fault = usual.status === 200 ? faultOf(endpoint, usual) : `${usual.status} ${usual.text}`;
    if (fault !== null) throw new Error(`Without odd records: ${fault}`);
    const places = this.#observed.take();
    const again = await this.#observe(send);
    const failures: string[] = [];
    for (const place of places) {
      this.#records.add(place.record);
      const found =
        place.list === null
          ? await this.#sweepRecord(place, endpoint, send)
          : await this.#sweepList(place, new ExpectedRows(endpoint, usual, again, needsAll), send);
      failures.push(...found.slice(0, MAX_NAMED));
    }
    this.#failing += failures.length;
    return failures;
  }

  async #sweepRecord(place: Place, endpoint: AnyEndpoint, send: Send): Promise<string[]> {
    const failures: string[] = [];
    const rows = oddRows(place, (row) => row);
    // Each value has another one of the odd values.
    const chosen = rows.filter((_, n) => this.#isWhole || n % KINDS === Math.floor(n / KINDS) % KINDS);
    this.#rows += chosen.length;
    for (const odd of chosen) {
      const answer = await this.#sendWith(place, [odd.row], send);
      const fault = isRefused(answer, odd) ? null : faultOf(endpoint, answer);
      if (fault !== null) failures.push(`${place.url}: ${odd.name}: ${fault}`);
    }
    return failures;
  }

  async #sweepList(place: Place, expected: ExpectedRows, send: Send): Promise<string[]> {
    const copy = (row: Record<string, unknown>) => withFreshKeys(place.record, row);
    const rows = oddRows(place, copy);
    this.#rows += rows.length;
    const copies = rows.map(() => copy(place.row));
    expected.allow(await this.#sendWith(place, copies, send), copies.length);
    const judge: Judge = async (some) => {
      const sent = some.map(({ row }) => row);
      const fault = expected.faultOf(await this.#sendWith(place, sent, send), some);
      if (fault === null || !expected.hasChanged(await this.#sendWith(place, [], send))) return fault;
      return judge(some);
    };
    const named: string[] = [];
    // Those that are left out fail some responses, so that nothing would be seen of the others. Those that
    // may be left out would make up the number of others, if they were counted together.
    const parts = Object.values(Object.groupBy(rows, ({ isChosenBy, isRow }) => `${isRow} ${isChosenBy}`));
    for (const some of parts) await nameFaults(some ?? [], judge, named);
    return named.map((name) => `${place.url}: ${name}`);
  }

  #observe(send: Send): Promise<ApiResponse> {
    this.#observed.take();
    this.#cloud.rewrite = (response) => {
      this.#observed.respond(response);
      return response.body;
    };
    return send();
  }

  #sendWith(place: Place, rows: readonly object[], send: Send): Promise<ApiResponse> {
    this.#answers += 1;
    this.#cloud.rewrite = (response) => placeRows(place, rows, response);
    return send();
  }
}

/** A record that says too little may be refused, and one that seems to be another's not found. */
function isRefused({ status }: ApiResponse, { isChosenBy, isKey, isRow }: OddRow): boolean {
  if (!isRow) return [404, 409, 502].includes(status);
  return status === 409 || (status === 404 && (isChosenBy || isKey));
}

/** Halves the rows until a fault has one row. */
async function nameFaults(rows: readonly OddRow[], judge: Judge, named: string[]): Promise<void> {
  if (named.length >= MAX_NAMED) return;
  const fault = await judge(rows);
  if (fault === null) return;
  const [first] = rows;
  if (rows.length === 1) {
    named.push(`${first?.name}: ${fault}`);
    return;
  }
  const known = named.length;
  const half = Math.ceil(rows.length / 2);
  await nameFaults(rows.slice(0, half), judge, named);
  await nameFaults(rows.slice(half), judge, named);
  if (named.length === known) named.push(`${first?.name} to ${rows.at(-1)?.name} together: ${fault}`);
}
