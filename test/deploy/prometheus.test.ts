import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { requireProgram } from '../support/skip-without.ts';
import { alertRules, dashboardQueries, readText, rulesFolder } from './deploy-files.ts';
import { allMetrics, type ExposedMetrics, missingFrom, targetLabels } from './exposed-metrics.ts';
import { readQuery } from './promql.ts';

interface RuleTest {
  name?: string;
  input_series: { series: string }[];
  alert_rule_test?: { alertname: string; exp_alerts?: object[] }[];
}

describe('the alert rules', () => {
  let exposed: ExposedMetrics;
  before(async () => {
    exposed = await allMetrics();
  });

  for (const { alert, expr, annotations, labels } of alertRules()) {
    it(`${alert} reads only metrics, labels and outcomes that exist`, () => {
      const query = readQuery(expr);
      assert.ok(query.selectors.length > 0);
      assert.deepEqual(missingFrom(exposed, query), []);
      for (const [, label = ''] of Object.values(annotations)
        .join()
        .matchAll(/\$labels\.(\w+)/g)) {
        const known = [...targetLabels, ...query.grouping];
        assert.ok(known.includes(label), label);
      }
      assert.match(labels.severity, /^(critical|warning|info)$/);
    });
  }

  it('are each tested, and described for operators', () => {
    const { tests } = parse(readText('deploy/prometheus/alerts.test.yaml')) as { tests: RuleTest[] };
    const fired = tests.flatMap(({ alert_rule_test: rules = [] }) =>
      rules.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0).map(({ alertname }) => alertname),
    );
    const operations = readText('docs/operations.md');

    for (const { alert } of alertRules()) {
      assert.ok(fired.includes(alert), `${alert} fires in no test`);
      assert.ok(operations.includes(`\`${alert}\``), `${alert} is not in docs/operations.md`);
    }
  });
});

describe('the test in which all is well', () => {
  it('has the series of each alert, so that none is missing', () => {
    const { tests } = parse(readText('deploy/prometheus/alerts.test.yaml')) as { tests: RuleTest[] };
    const quiet = tests.find(({ name }) => name === 'nothing fires while all is well');
    const series = new Set(quiet?.input_series.map((each) => each.series.split('{')[0]));

    for (const { alert, expr } of alertRules()) {
      for (const { metric } of readQuery(expr).selectors)
        assert.ok(series.has(metric), `${alert}: ${metric}`);
    }
  });
});

describe('the alert of memory', () => {
  it('fires below the limits of the Kubernetes manifests', () => {
    const expr = alertRules().find(({ alert }) => alert === 'GatewayMemoryHigh')?.expr ?? '';
    const threshold = Number(expr.split('>').at(-1));
    const limits = ['api', 'worker'].map((name) => {
      const [, mebibytes] =
        /limits:\s+memory: (\d+)Mi/.exec(readText(`deploy/kubernetes/base/${name}.yaml`)) ?? [];
      return Number(mebibytes) * 2 ** 20;
    });

    assert.ok(
      limits.every((limit) => threshold < 0.9 * limit),
      `${threshold} of ${limits}`,
    );
  });
});

describe('promtool', function () {
  this.timeout(300_000);
  let promtool: string;
  let folder: string;

  before(async function () {
    promtool = await requireProgram('promtool', 'prometheus', this);
    folder = mkdtempSync(join(tmpdir(), 'rules-'));
  });
  after(() => folder && rmSync(folder, { recursive: true }));

  function run(...args: string[]): void {
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: rulesFolder, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }

  it('accepts the alert rules and their example of a configuration', () => {
    run('check', 'rules', '--lint-fatal', 'alerts.yaml');
    run('check', 'config', 'scrape.example.yaml');
  });

  it('sees each alert fire in its case, and none in others', () => {
    run('test', 'rules', 'alerts.test.yaml');
  });

  it('accepts the queries of the dashboard', () => {
    const rules = dashboardQueries().map(({ expr }, at) => ({ record: `query:${at}`, expr }));
    const file = join(folder, 'queries.yaml');
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    run('check', 'rules', file);
  });
});
