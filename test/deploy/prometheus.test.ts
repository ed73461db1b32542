import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { alertRules, readText } from './deploy-files.ts';
import {
  allMetrics,
  type ExposedMetrics,
  missingFrom,
  originLabels,
  targetLabels,
} from './exposed-metrics.ts';
import { readQuery } from './promql.ts';
import { QUIET, ruleTests } from './rule-tests.ts';

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
