// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import { isFailing, MAX_SHOWN, readAutoBackups, readLiteClusters } from './health-lists.js';
import { named } from './job-parts.js';
import { attempt, element, main, repeat, show, timeText } from './page.js';

const INTERVAL_MS = 60_000;
const NOT_HEALTHY = ['UNHEALTHY', 'UNREACHABLE', 'UNKNOWN', 'DEGRADED'];

await attempt(showAutoBackups);
await attempt(showLiteClusters);
main.dataset.ready = 'true';
void repeat(showAutoBackups, INTERVAL_MS);
void repeat(showLiteClusters, INTERVAL_MS);

async function showAutoBackups() {
  const { hasMore, items } = await readAutoBackups();
  const count = hasMore ? `the first ${items.length}` : String(items.length);
  show('auto-backups', count, items, 'None fails or is overdue.', (backup) => [
    nameOrId(backup.volume_name, backup.volume_id),
    nameOrId(backup.project_name, backup.project_id),
    problemOf(backup),
    [backup.last_ok_at === null ? warning('never') : timeText(backup.last_ok_at)],
    [backup.last_run_at === null ? 'never' : timeText(backup.last_run_at)],
    [timeText(backup.next_run_at)],
  ]);
}

function problemOf({ is_overdue, last_error, last_status, schedule }) {
  return [
    ...(is_overdue ? [warning('overdue'), element('small', {}, `schedule: ${schedule}`)] : []),
    ...(last_status === 'failed' ? [warning('failed'), element('small', {}, last_error ?? '')] : []),
  ];
}

async function showLiteClusters() {
  const clusters = await readLiteClusters();
  document.querySelector('#lite').hidden = clusters === null;
  if (clusters === null) return;
  const bad = clusters.filter(({ health_status }) => NOT_HEALTHY.includes(health_status));
  const count = `${bad.length} of ${clusters.length} are not healthy`;
  const shown = clusters.slice(0, MAX_SHOWN);
  show('lite-clusters', count, shown, 'There is no lite cluster.', (cluster) => [
    named(cluster.name, cluster.id),
    nameOrId(cluster.project_name, cluster.project_id),
    [isFailing(cluster) ? warning(cluster.health_status) : (cluster.health_status ?? cluster.status)],
    reasonsOf(cluster).map((text) => element('small', {}, text)),
    [cluster.k3s_version ?? ''],
  ]);
}

function reasonsOf({ plugin_messages, status_reason }) {
  const ofPlugins = Object.entries(plugin_messages ?? {}).map(([plugin, text]) => `${plugin}: ${text}`);
  return [...(status_reason === null ? [] : [status_reason]), ...ofPlugins];
}

/** Not all names are known. */
function nameOrId(name, id) {
  return name === null ? [element('span', { className: 'id' }, id)] : named(name, id);
}

function warning(text) {
  return element('strong', { className: 'warning' }, text);
}
