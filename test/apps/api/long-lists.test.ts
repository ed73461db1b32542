import assert from 'node:assert/strict';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface Row {
  id: string;
  image_name: string | null;
  flavor_id: string | null;
}

const PAGES = 5;
const PAGE_SIZE = 1_000;

const pathOfPage = (page: number) => `/v2.1/servers/detail${page === 0 ? '' : `?marker=${page}`}`;

describe('the list of 5,000 instances', () => {
  const suite = apiSuite();

  function readable(): void {
    const servers = fixtureBody<object[]>('compute/servers', 'servers');
    for (let page = 0; page < PAGES; page += 1) {
      const next = `http://127.0.0.1:8774${pathOfPage(page + 1)}`;
      const body = {
        servers: Array.from({ length: PAGE_SIZE }, (_, index) => ({
          ...servers[index % servers.length],
          id: `server-${page * PAGE_SIZE + index}`,
        })),
        ...(page < PAGES - 1 && { servers_links: [{ rel: 'next', href: next }] }),
      };
      suite.cloud.reply('compute/servers', { path: pathOfPage(page), body });
    }
    suite.cloud.reply('block-storage/volumes').reply('compute/flavors').reply('image/images');
  }

  async function shortList(api: TestApi): Promise<Row[]> {
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('compute/servers')
      .reply('block-storage/volumes')
      .reply('compute/flavors')
      .reply('image/images');
    return (await api.get<Row[]>('/api/instances', { as: caller })).body;
  }

  it("has the same rows as a short list, in the service's order", async () => {
    const short = await shortList(await suite.start());
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    readable();

    const answer = await api.get<Row[]>('/api/instances', { as: caller });
    const cached = await api.get<Row[]>('/api/instances', { as: caller });

    assert.deepEqual(
      answer.body,
      Array.from({ length: PAGES * PAGE_SIZE }, (_, index) => ({
        ...short[(index % PAGE_SIZE) % short.length],
        id: `server-${index}`,
      })),
    );
    assert.equal(cached.text, answer.text);
    assert.equal(cached.headers.etag, answer.headers.etag);
  });
});
