import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../support/source/workspaces.ts';

interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  datasource?: { type: string; uid: string };
  targets?: { refId: string; expr: string; legendFormat: string; datasource: { uid: string } }[];
}

interface Dashboard {
  title: string;
  uid: string;
  panels: Panel[];
  annotations: { list: { expr: string }[] };
  templating: {
    list: { name: string; type: string; definition?: string; multi: boolean; includeAll: boolean }[];
  };
}

export const rulesFolder = join(root, 'deploy/prometheus');

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export function alertRules(): AlertRule[] {
  const { groups } = parse(readText('deploy/prometheus/alerts.yaml')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export function dashboard(): Dashboard {
  return JSON.parse(readText('deploy/grafana/dashboard.json')) as Dashboard;
}

/** The queries of the panels and annotations, with Grafana's interval replaced by a duration. */
export function dashboardQueries(): { title: string; expr: string; legend: string }[] {
  const { panels, annotations } = dashboard();
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legend: legendFormat })),
  );
  const marks = annotations.list.map(({ expr }) => ({ title: 'annotation', expr, legend: '' }));
  return [...queries, ...marks].map((query) => ({
    ...query,
    expr: query.expr.replaceAll('$__rate_interval', '5m'),
  }));
}
