import assert from 'node:assert/strict';
import { dashboard, dashboardQueries, type Panel } from './deploy-files.ts';
import { allMetrics, missingFrom, originLabels, targetLabels } from './exposed-metrics.ts';
import { type Query, readQuery } from './promql.ts';

const GRID_WIDTH = 24;

describe('the dashboard', () => {
  const { panels, templating, uid } = dashboard();
  const variables = templating.list.map(({ name }) => name);

  it('has rows for each part of the gateway', () => {
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);

    assert.deepEqual(rows, [
      'Requests',
      'Cache',
      'Jobs',
      'Cloud services',
      'Redis',
      'Processes',
      'Lite clusters',
      'Instances',
    ]);
    assert.match(uid, /^[\w-]{1,40}$/);
  });

  it('has panels with their own ids, titles and places', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const taken = new Map<string, string>();
    for (const { gridPos, title } of panels) {
      assert.ok(title.length > 0);
      assert.ok(gridPos.x + gridPos.w <= GRID_WIDTH, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.equal(taken.get(`${x},${y}`), undefined, `${title} covers ${taken.get(`${x},${y}`)}`);
          taken.set(`${x},${y}`, title);
        }
      }
    }
  });

  it('takes data source and processes from its variables, and uses no others', () => {
    assert.deepEqual(variables, ['datasource', 'gateway', 'region', 'instance']);
    for (const panel of panels.filter(({ type }) => type !== 'row')) assertUsesVariables(panel);
    for (const { expr, title } of dashboardQueries()) {
      for (const [, name = ''] of expr.matchAll(/\$\{?(\w+)/g)) assert.ok(variables.includes(name), title);
    }
  });

  it('shows one gateway at a time', () => {
    for (const { title, expr } of dashboardQueries()) assertReadsOne(readQuery(expr), title);
    for (const { name, multi, includeAll } of templating.list) {
      if (originLabels.includes(name)) assert.deepEqual([multi, includeAll], [false, false], name);
    }
  });

  it('reads only metrics, labels and outcomes that exist', async () => {
    const exposed = await allMetrics();
    for (const { title, expr, legend } of dashboardQueries()) {
      const query = readQuery(expr);
      assert.deepEqual(missingFrom(exposed, query), [], title);
      const labels = query.selectors.flatMap(({ metric }) => [...(exposed.get(metric)?.keys() ?? [])]);
      for (const [, shown = ''] of legend.matchAll(/\{\{(\w+)\}\}/g)) {
        assert.ok([...targetLabels, ...labels].includes(shown), `${title}: ${shown}`);
      }
    }
  });
});

function assertReadsOne({ selectors }: Query, title: string): void {
  for (const { metric, matchers } of selectors) {
    for (const label of originLabels) {
      const matcher = matchers.find((each) => each.label === label);
      assert.deepEqual(matcher, { label, operator: '=', value: `$${label}` }, `${title}: ${metric}`);
    }
  }
}

function assertUsesVariables({ title, datasource, targets = [] }: Panel): void {
  assert.ok(targets.length > 0, title);
  assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
  for (const source of [datasource, ...targets.map((target) => target.datasource)]) {
    assert.equal(source?.uid, ['$', '{datasource}'].join(''), title);
  }
}
