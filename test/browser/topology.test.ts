import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Topology } from '@gateway/resources';
import { projectRoot } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { ChromiumPage } from '../support/browser/chromium.ts';
import { type PageServer, servePages } from '../support/browser/page-server.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { requireProgram } from '../support/skip-without.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { DemoProject } from './demo-project.ts';
import { contains, type Drawing, overlap } from './drawing.ts';

const folder = join(projectRoot, '.data/browser');

/** Shows the project `demo` in a browser that has only the topology. The picture is in .data/browser/. */
describe('the picture of a topology', function () {
  this.timeout(600_000);
  let pages: PageServer;
  let stack: Stack;
  let project: DemoProject | undefined;
  let page: ChromiumPage;

  before(async function () {
    const chromium = await requireProgram('chromium', 'chromium', this);
    pages = await servePages(import.meta.dirname);
    stack = await startTestStack({ config: { http: { cors_origins: [pages.origin] } } });
    project = new DemoProject(await GatewayClient.logIn(stack.url, testLogin('demo')));
    page = await ChromiumPage.open(chromium, `${pages.origin}/topology.html`);
  });

  after(async () => {
    try {
      await project?.clear();
    } finally {
      await page?.close();
      await stack?.stop();
      await pages?.close();
    }
  });

  async function draw(): Promise<{ topology: Topology; drawing: Drawing }> {
    const { password, projectName, username } = testLogin('demo');
    const given = [stack.url, { username, password, project_name: projectName }];
    const topology = await page.evaluate<Topology>(`showTopology(...${JSON.stringify(given)})`);
    const drawing = await page.evaluate<Drawing>('readDrawing()');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'topology.png'), await page.screenshot());
    return { topology, drawing };
  }

  it('places and connects all its elements after one request', async () => {
    const made = await project?.fill();
    assert.ok(made);

    const { drawing, topology } = await draw();

    const sent = page.requests.filter((each) => each.includes(stack.url) && !each.startsWith('OPTIONS'));
    assert.deepEqual(sent, [
      `POST ${stack.url}/api/auth/login`,
      `GET ${stack.url}/api/networks/topology?refresh=true`,
    ]);
    const ids = Object.values(topology).flatMap((rows: { id: string }[]) => rows.map(({ id }) => id));
    assert.deepEqual(drawing.elements.map(({ id }) => id).toSorted(), ids.toSorted());
    assert.deepEqual(
      made.ids.filter((id) => !ids.includes(id)),
      [],
    );
    const ofMade = drawing.connections.filter(({ from }) => made.ids.includes(from));
    assert.deepEqual(
      ofMade.map(({ from, to }) => `${from} to ${to}`).toSorted(),
      made.connections.toSorted(),
    );
    assertBoxes(drawing);
    assertLines(drawing);
  });
});

/** No box covers another one, and none is too small for its texts. */
function assertBoxes({ elements }: Drawing): void {
  for (const [index, { box, texts }] of elements.entries()) {
    for (const each of texts) assert.ok(contains(box, each.box), `"${each.text}" leaves its box`);
    const covered = elements.slice(index + 1).filter((other) => overlap(box, other.box));
    assert.deepEqual(covered, [], `covered by ${texts[0]?.text}`);
  }
}

/** Each line leads from the one box to the other, and crosses no box but networks, and no address. */
function assertLines({ connections, elements }: Drawing): void {
  const byId = new Map(elements.map((element) => [element.id, element]));
  for (const { from, to, start, end } of connections) {
    const line = { x: start.x, y: Math.min(start.y, end.y), width: 0, height: Math.abs(end.y - start.y) };
    const point = { width: 0, height: 0 };
    const [first, last] = [byId.get(from), byId.get(to)];
    assert.ok(first && last);
    assert.ok(contains(first.box, { ...start, ...point }), `not from ${first.texts[0]?.text}`);
    assert.ok(contains(last.box, { ...end, ...point }), `not to ${last.texts[0]?.text}`);
    const others = elements.filter(({ id, kind }) => id !== from && id !== to && !kind.startsWith('network'));
    const crossed = [
      ...others.filter(({ box }) => overlap(line, box)),
      ...connections.filter(({ address }) => address.text !== '' && overlap(line, address.box)),
    ];
    assert.deepEqual(crossed, [], `crossed by the line from ${first.texts[0]?.text}`);
  }
}
