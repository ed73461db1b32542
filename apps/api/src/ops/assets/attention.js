// What an operator should see first. Runs in the browser without a build step. Sets foreign texts as text
// only, never as HTML.
import { isFailing, MAX_SHOWN, readAutoBackups, readLiteClusters } from './health-lists.js';
import { jobLink } from './job-parts.js';
import { allowsChanges, below, changeButton, element, fill, repeat, request, whenConfirmed } from './page.js';

const INTERVAL_MS = 10_000;
const SLOW_INTERVAL_MS = 60_000;
const MAX_HELD = 5;

const SERVICE_USER = {
  refused: 'The identity service refuses the log-in of the service user.',
  not_administrator: "The service user lacks the administrator's role.",
};

/** The sources, in the order in which they are shown. Each makes the contents of its entries. */
const sources = {
  health: null,
  services: null,
  queues: null,
  held: null,
  autoBackups: null,
  liteClusters: null,
  failures: null,
  leftovers: null,
};

export function showAttention() {
  void repeat(showHealth, SLOW_INTERVAL_MS);
  void repeat(showServices, SLOW_INTERVAL_MS);
  void repeat(showQueues, INTERVAL_MS);
  void repeat(showHeldJobs, INTERVAL_MS);
  void repeat(showFailingAutoBackups, SLOW_INTERVAL_MS);
  void repeat(showFailingLiteClusters, SLOW_INTERVAL_MS);
}

/** The overview reads the list itself. */
export function showCountOfFailures(total) {
  const text = `${total} ${total === 1 ? 'job has' : 'jobs have'} failed within a day.`;
  put('failures', () => (total === 0 ? [] : [[linkTo('#failures-title', text)]]));
}

/** The overview reads the list itself. */
export function showCountOfLeftovers(total) {
  const text = `${total} ${total === 1 ? 'resource is' : 'resources are'} left over.`;
  put('leftovers', () => (total === 0 ? [] : [[linkTo('#leftovers-title', text)]]));
}

async function showHealth() {
  const health = await request('/api/health?deep=true');
  const problems = [
    health.redis !== 'ok' && 'Redis does not answer, or refuses writes.',
    health.cache === 'unavailable' && 'The Redis of cached lists does not answer.',
    health.jobs === 'held' && 'The store may be an older copy, so no job runs.',
    health.identity === 'unavailable' && 'The identity service does not answer.',
    health.maintenance === 'unavailable' && 'A scheduled task of the workers is overdue.',
    SERVICE_USER[health.service_user],
    health.region === 'not_in_catalog' && 'The catalog has no service in the region.',
    ...(health.unsupported_versions ?? []).map(
      ({ needed, offered, service }) => `The service ${service} offers ${offered}, and needs ${needed}.`,
    ),
  ];
  put('health', () => problems.filter(Boolean).map((text) => [urgent(text)]));
}

async function showServices() {
  const { unavailable, ...lists } = await request('/api/admin/services');
  const processes = ['compute', 'block_storage', 'shared_file_system', 'container', 'container_infra']
    .flatMap((name) => lists[name])
    .filter(({ state, status }) => state === 'down' && status === 'enabled');
  const agents = lists.network.filter(({ admin_state_up, alive }) => admin_state_up && !alive);
  put('services', () => [
    ...unavailable.map((name) => [urgent(`The service ${name.replaceAll('_', ' ')} is unavailable.`)]),
    ...[...processes, ...agents].map(({ binary, host }) => [urgent(`${binary} on ${host} is down.`)]),
  ]);
}

async function showQueues() {
  const queues = await request('/api/admin/queues');
  const entriesOf = ({ counts, is_paused, name, workers }) => {
    const href = below(`/ops/queues?${new URLSearchParams({ queue: name })}`);
    const link = () => element('a', { href }, name);
    const waits = counts.waiting === 0 ? '' : ` (waiting: ${counts.waiting})`;
    return [
      ...(is_paused ? [[urgent('Paused: '), link(), waits, ...resumeButton(name)]] : []),
      ...(workers === 0 ? [[urgent('No live worker: '), link(), waits]] : []),
    ];
  };
  put('queues', () => queues.flatMap(entriesOf));
}

async function showHeldJobs() {
  const { items, next_marker } = await request(`/api/admin/jobs?state=held&limit=${MAX_HELD}`);
  const more = () => [element('a', { href: below('/ops/jobs?state=held') }, 'All held jobs')];
  put('held', () => [
    ...items.map((job) => {
      const of = [job.resource_name, job.project_name].filter(Boolean).join(', ');
      return [urgent('Held: '), jobLink(job)[0], of === '' ? '' : ` (${of})`, ` ${job.message}`];
    }),
    ...(next_marker === null ? [] : [more()]),
  ]);
}

async function showFailingAutoBackups() {
  const { hasMore, items } = await readAutoBackups();
  const count = hasMore ? `More than ${MAX_SHOWN}` : items.length;
  const text = `${count} ${items.length === 1 ? 'auto backup fails or is' : 'auto backups fail or are'} overdue.`;
  put('autoBackups', () => (items.length === 0 ? [] : [[linkToHealth('auto-backups-title', text)]]));
}

async function showFailingLiteClusters() {
  const count = ((await readLiteClusters()) ?? []).filter(isFailing).length;
  const text = `${count} ${count === 1 ? 'lite cluster is' : 'lite clusters are'} unhealthy or cannot be reached.`;
  put('liteClusters', () => (count === 0 ? [] : [[linkToHealth('lite-clusters-title', text)]]));
}

function linkToHealth(fragment, text) {
  return element('a', { href: below(`/ops/health#${fragment}`) }, text);
}

function resumeButton(name) {
  if (!allowsChanges) return [];
  const path = `/api/admin/queues/${encodeURIComponent(name)}/resume`;
  const resume = () => request(path, { method: 'POST' });
  const properties = { id: `resume-${name}`, ariaLabel: `Resume ${name}` };
  return [
    ' ',
    changeButton('Resume', properties, () => whenConfirmed(`Resume ${name}?`, resume, [showQueues])),
  ];
}

function put(source, makeEntries) {
  sources[source] = makeEntries;
  const read = Object.values(sources).filter((each) => each !== null);
  const contents = read.flatMap((each) => each());
  const isComplete = read.length === Object.keys(sources).length;
  document.querySelector('#attention-count').textContent =
    isComplete && contents.length === 0 ? 'nothing' : String(contents.length || '');
  const list = document.querySelector('#attention');
  fill(list, ...contents.map((content) => element('li', {}, ...content)));
}

function urgent(text) {
  return element('strong', { className: 'warning' }, text);
}

/** The base of the page's addresses is not the page. */
function linkTo(fragment, text) {
  return element('a', { href: `${location.pathname}${location.search}${fragment}` }, text);
}
