import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { dashboardQueries, rulesFolder } from '../deploy/deploy-files.ts';
import { QUIET, type RuleTest, type RuleTests, ruleTests } from '../deploy/rule-tests.ts';
import { requireProgram } from '../support/skip-without.ts';

/** The series of a gateway that is well, as those of another gateway in another region. */
function seriesOfAnother({ tests }: RuleTests): RuleTest['input_series'] {
  const { input_series: series = [] } = tests.find(({ name }) => name === QUIET) ?? {};
  assert.ok(series.length > 0);
  return series.map(({ series: name, values }) => {
    assert.match(name, /gateway="g",region="R"/);
    return { series: name.replace('gateway="g",region="R"', 'gateway="other",region="S"'), values };
  });
}

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
