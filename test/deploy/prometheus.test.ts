import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { requireProgram } from '../support/skip-without.ts';
import { alertRules, dashboardQueries, readText, rulesFolder } from './deploy-files.ts';
import {
  allMetrics,
  type ExposedMetrics,
  missingFrom,
  originLabels,
  targetLabels,
} from './exposed-metrics.ts';
import { readQuery } from './promql.ts';

interface RuleTest {
  name?: string;
  interval: string;
  input_series: { series: string; values: string }[];
  alert_rule_test?: { alertname: string; eval_time: string; exp_alerts?: object[] }[];
  promql_expr_test?: object[];
}

interface RuleTests {
  rule_files: string[];
  evaluation_interval: string;
  tests: RuleTest[];
}

const QUIET = 'nothing fires while all is well';

function ruleTests(): RuleTests {
  return parse(readText('deploy/prometheus/alerts.test.yaml')) as RuleTests;
}

/** The series of a gateway that is well, as those of another gateway in another region. */
function seriesOfAnother({ tests }: RuleTests): RuleTest['input_series'] {
  const { input_series: series = [] } = tests.find(({ name }) => name === QUIET) ?? {};
  assert.ok(series.length > 0);
  return series.map(({ series: name, values }) => {
    assert.match(name, /gateway="g",region="R"/);
    return { series: name.replace('gateway="g",region="R"', 'gateway="other",region="S"'), values };
  });
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
        const known = [...targetLabels, ...query.groupings.flat()];
        assert.ok(known.includes(label), label);
      }
      assert.match(labels.severity, /^(critical|warning|info)$/);
    });

    it(`${alert} is of one gateway, which it names`, () => {
      for (const label of originLabels) {
        for (const kept of readQuery(expr).groupings) assert.ok(kept.includes(label), `${label}: ${expr}`);
        assert.ok(annotations.summary.includes(`$labels.${label} }}`), annotations.summary);
      }
    });
  }

  it('fire in a test each', () => {
    const { tests } = ruleTests();
    const fired = tests.flatMap(({ alert_rule_test: rules = [] }) =>
      rules.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0).map(({ alertname }) => alertname),
    );

    for (const { alert } of alertRules()) {
      assert.ok(fired.includes(alert), `${alert} fires in no test`);
    }
  });
});

describe('the test in which all is well', () => {
  it('has the series of each alert, so that none is missing', () => {
    const quiet = ruleTests().tests.find(({ name }) => name === QUIET);
    const series = new Set(quiet?.input_series.map((each) => each.series.split('{')[0]));

    for (const { alert, expr } of alertRules()) {
      for (const { metric } of readQuery(expr).selectors)
        assert.ok(series.has(metric), `${alert}: ${metric}`);
    }
  });
});

describe('the example of a scrape configuration', () => {
  it('gives each process the labels of its gateway', () => {
    const { scrape_configs: jobs } = parse(readText('deploy/prometheus/scrape.example.yaml')) as {
      scrape_configs: { honor_labels: boolean; static_configs: { labels: Record<string, string> }[] }[];
    };
    for (const { honor_labels: honorsLabels, static_configs: targets } of jobs) {
      assert.equal(honorsLabels, true);
      for (const { labels } of targets) assert.deepEqual(Object.keys(labels), originLabels);
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

  it('sees each alert name the failing gateway of two', () => {
    const given = ruleTests();
    const another = seriesOfAnother(given);
    const tests = given.tests
      .filter(({ alert_rule_test: rules = [] }) => rules.length > 0)
      .map((test) => ({
        ...test,
        input_series: [...test.input_series, ...another],
        // The series of the other one are an hour long.
        promql_expr_test: (test.alert_rule_test ?? [])
          .filter(({ eval_time }) => !eval_time.endsWith('h'))
          .map(({ eval_time }) => ({
            expr: 'count(ALERTS{alertstate="firing",gateway!="g"})',
            eval_time,
            exp_samples: [],
          })),
      }));
    const file = join(folder, 'two-gateways.test.yaml');
    writeFileSync(file, stringify({ ...given, rule_files: [join(rulesFolder, 'alerts.yaml')], tests }));
    run('test', 'rules', file);
  });

  it('accepts the queries of the dashboard', () => {
    const rules = dashboardQueries().map(({ expr }, at) => ({ record: `query:${at}`, expr }));
    const file = join(folder, 'queries.yaml');
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    run('check', 'rules', file);
  });
});
