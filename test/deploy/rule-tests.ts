import { parse } from 'yaml';
import { readText } from './deploy-files.ts';

export interface RuleTest {
  name?: string;
  interval: string;
  input_series: { series: string; values: string }[];
  alert_rule_test?: { alertname: string; eval_time: string; exp_alerts?: object[] }[];
  promql_expr_test?: object[];
}

export interface RuleTests {
  rule_files: string[];
  evaluation_interval: string;
  tests: RuleTest[];
}

/** The name of the test in which nothing fires. */
export const QUIET = 'nothing fires while all is well';

/** The tests of the alert rules that promtool runs. */
export function ruleTests(): RuleTests {
  return parse(readText('deploy/prometheus/alerts.test.yaml')) as RuleTests;
}
