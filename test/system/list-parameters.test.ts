import assert from 'node:assert/strict';
import type { AnyEndpoint } from '../../apps/api/src/pipeline/endpoint.ts';
import type { ListRows } from '../../apps/api/src/pipeline/list-rows.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import type { Cloudsim } from '../../apps/cloudsim/src/server.ts';
import { cellOf } from '../../packages/cache/src/select-rows.ts';
import type { ErrorBody } from '../support/api/client.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { growServer, growTo } from '../support/load/cloudsim-rows.ts';
import { lastingCaches } from '../support/stacks/cache-lifetimes.ts';
import { type CloudInProcess, startCloudInProcess } from '../support/stacks/cloud-in-process.ts';
import { createOneOfEach } from '../support/subjects/one-of-each.ts';

type Row = Record<string, unknown>;

const ROWS = 5;

/** Lists that have no rows in this cloud. */
const EMPTY = [
  '/api/admin/all-lite-clusters',
  '/api/admin/file-storage/builds',
  '/api/auth/application-credentials',
  '/api/auth/providers',
  '/api/lite/clusters',
  '/api/lite/clusters/health',
  '/api/networks/dns',
];

/** Rows that change between two reads, so that parts of them cannot be compared. */
const CHANGES = ['/api/auth/sessions'];

interface List extends AnyEndpoint {
  listRows: ListRows;
}

/** Have rows only after an event. */
const OF_EVENTS = /\/deliveries$/;

const lists = endpoints.filter(
  (endpoint): endpoint is List =>
    endpoint.method === 'GET' &&
    endpoint.listRows !== undefined &&
    !CHANGES.includes(endpoint.path) &&
    !OF_EVENTS.test(endpoint.path),
);

describe('the rows of a list', function () {
  this.timeout(240_000);
  let system: CloudInProcess | undefined;
  let cloudsim: Cloudsim;
  let gateway: GatewayClient;
  let administrator: GatewayClient;
  let ids: Record<string, string>;

  before(async () => {
    system = await startCloudInProcess({
      services: { container: true, lite: true },
      cache: lastingCaches,
    });
    ({ cloudsim, gateway, administrator } = system);
    ids = await createOneOfEach(gateway, cloudsim);
    await createWebhooks(gateway, '/api/webhooks');
    await createWebhooks(administrator, '/api/admin/webhooks');
    growTo(cloudsim.cloud, ROWS);
    growServer(cloudsim.cloud, ids.instance_id ?? '', ROWS);
  });

  after(() => system?.stop());

  function request({ access, path }: AnyEndpoint, query: string, requestId?: string) {
    const as = access === 'admin' ? administrator : gateway;
    const target = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name);
    return as.request<Row[]>('GET', target + query, undefined, requestId);
  }

  /** Reads a list, or a part of it. */
  async function read(list: AnyEndpoint, query = '') {
    const requestId = `req-${crypto.randomUUID()}`;
    const answer = await request(list, query, requestId);
    assert.equal(answer.status, 200, `${list.path}${query}: ${answer.text}`);
    const calls = cloudsim.cloud.calls.list({ service: null, operation: null, requestId });
    return { rows: answer.body, headers: answer.headers, calls: calls.length };
  }

  for (const list of lists) {
    const { cachedList, listRows, path } = list;
    const key = listRows.id ?? 'user_name';

    describe(`GET ${path}`, () => {
      let all: Row[];

      before(async () => {
        const { headers, rows } = await read(list);
        assert.equal(headers.get('link'), null);
        if (!EMPTY.includes(path)) assert.ok(rows.length > 0, 'The list is empty.');
        all = rows;
      });

      if (listRows.id !== null) {
        it('are paged by links', async () => {
          const limit = Math.max(1, Math.ceil(all.length / 2));
          const pages: Row[] = [];
          let query: string | undefined = `?limit=${limit}`;
          while (query !== undefined) {
            const { calls, headers, rows } = await read(list, query);
            assert.equal(headers.get('x-total-count'), String(all.length));
            assert.ok(rows.length <= limit);
            if (cachedList !== undefined) assert.equal(calls, 0, 'a part of a cached list costs no call');
            pages.push(...rows);
            query = /^<(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
          }
          const idOf = (row: Row) => String(row[key]);
          assert.deepEqual(pages.map(idOf), all.map(idOf));
        });
      }

      for (const [name, paths] of listRows.filters) {
        it(`are filtered by ${name}`, async () => {
          const shown = all.map((row) => paths.flatMap((field) => cellOf(row, field.split('.'))));
          const value = shown.flat().find((cell) => cell !== null && cell !== '');
          if (value === undefined) {
            const absent = listRows.parameters[name]?.type === 'boolean' ? 'true' : 'absent';
            const { rows } = await read(list, `?${name}=${absent}`);
            assert.deepEqual(rows, []);
            return;
          }

          const { calls, headers, rows } = await read(list, `?${name}=${encodeURIComponent(String(value))}`);

          const matches = (cell: unknown) =>
            name === 'name' ? lower(cell ?? '').includes(lower(value)) : lower(cell) === lower(value);
          // Other fields of a row may change between two reads, such as the counts of a queue.
          const idsOf = (found: Row[]) => found.map((row) => row[key]);
          assert.deepEqual(idsOf(rows), idsOf(all.filter((_, index) => shown[index]?.some(matches))));
          assert.equal(headers.get('x-total-count'), String(rows.length));
          if (cachedList !== undefined) assert.equal(calls, 0, 'a filter of a cached list costs no call');
        });
      }

      it('are sorted by a field, in both directions', async () => {
        const ascending = (await read(list, `?sort=${key}`)).rows.map((row) => row[key]);
        const descending = (await read(list, `?sort=${key}:desc`)).rows.map((row) => row[key]);

        assert.deepEqual(ascending, descending.toReversed());
        assert.equal(ascending.length, all.length);
        const isInOrder = ascending.every(
          (value, index) => index === 0 || lower(ascending[index - 1]) <= lower(value),
        );
        assert.ok(isInOrder, ascending.join());
      });

      it('are refused with an unknown field or marker', async () => {
        const parameters = listRows.id === null ? ['sort'] : ['sort', 'marker'];
        for (const name of parameters) {
          const { body, status } = await request(list, `?${name}=unknown`);
          assert.equal(status, 400);
          assert.deepEqual(
            (body as unknown as ErrorBody).errors?.map(({ field }) => field),
            [`query.${name}`],
          );
        }
      });
    });
  }
});

function lower(value: unknown): string {
  return String(value).toLowerCase();
}

async function createWebhooks(as: GatewayClient, path: string): Promise<void> {
  for (let number = 1; number <= 2; number += 1) {
    const url = `https://hooks.example.org/${number}`;
    const { status, text } = await as.request('POST', path, { url });
    assert.equal(status, 201, text);
  }
}
