// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import {
  allowsChanges,
  attempt,
  below,
  changeButton,
  element,
  fill,
  main,
  progressBar,
  repeat,
  request,
  show,
  timeText,
  whenConfirmed,
} from './page.js';

const INTERVAL_MS = 5_000;
const PAGE_SIZE = 25;
const PATH = '/api/admin/queues';
const STATES = ['waiting', 'active', 'delayed', 'failed'];

/**
 * What the page shows is in its address, so that a reload and a link keep it. The first queue is the default.
 */
const address = new URLSearchParams(location.search);
const state = address.get('state') ?? 'active';
const page = Math.max(1, Number.parseInt(address.get('page') ?? '1', 10) || 1);
const jobId = address.get('job');
let queue = address.get('queue');
/** The number of entries in the state. */
let total = 0;

await attempt(showQueues);
await attempt(showJobs);
await attempt(showJob);
main.dataset.ready = 'true';
void repeat(showQueues, INTERVAL_MS);
void repeat(showJobs, INTERVAL_MS);
void repeat(showJob, INTERVAL_MS);

async function showQueues() {
  const queues = await request(PATH);
  queue ??= queues[0].name;
  total = queues.find(({ name }) => name === queue)?.counts[state] ?? 0;
  show('queues', '', queues, '', ({ counts, is_paused, name, workers }) => [
    [linkTo({ queue: name, state }, name, name === queue)],
    ...STATES.map((each) => [
      linkTo({ queue: name, state: each }, String(counts[each]), name === queue && each === state, {
        ariaLabel: `${name}: ${counts[each]} ${each}`,
      }),
    ]),
    [workers === 0 ? warning('No live worker') : String(workers)],
    [is_paused ? warning('paused') : 'not paused'],
    ...(allowsChanges ? [[pauseButton(name, is_paused)]] : []),
  ]);
}

async function showJobs() {
  if (queue === null) return;
  const first = (page - 1) * PAGE_SIZE;
  const shown = new URLSearchParams({ state, limit: PAGE_SIZE, ...(first > 0 && { marker: first }) });
  const { items } = await request(`${queuePath()}?${shown}`);
  const last = first + items.length;
  const range = first === 0 && last >= total ? String(last) : `${first + 1} to ${last} of ${total}`;
  const count = `${queue}, ${state}: ${items.length === 0 ? total : range}`;
  fill(
    document.querySelector('#states'),
    ...STATES.map((each) => linkTo({ queue, state: each }, each, each === state)),
  );
  show('jobs', count, items, `No ${state} job of ${queue} is on this page.`, (job) => [
    [linkTo({ queue, state, page, job: job.id }, job.type, job.id === jobId), idText(job.id)],
    [statusOf(job), ...(job.step === null ? [] : [element('small', {}, job.step)])],
    hasProgress(job) ? [progressBar(job)] : [],
    job.project_id === null ? [] : [job.project_name ?? '', idText(job.project_id)],
    timesOf(job).map(([label, time]) => element('small', {}, `${label} ${timeText(time)}`)),
    errorsOf(job),
    ...(allowsChanges ? [state === 'delayed' ? [runButton(job)] : []] : []),
  ]);
  showPages(page, Math.max(1, Math.ceil(total / PAGE_SIZE)));
}

/** A list may have become shorter than the address says. */
function showPages(current, last) {
  const links = [
    ...(current > 1
      ? [
          linkTo(
            { queue, state, page: Math.min(current - 1, last) },
            current > last ? 'Last page' : 'Previous',
          ),
        ]
      : []),
    element('span', {}, current > last ? `There is no page ${current}.` : `Page ${current} of ${last}`),
    ...(current < last ? [linkTo({ queue, state, page: current + 1 }, 'Next')] : []),
  ];
  const pages = document.querySelector('#pages');
  pages.hidden = links.length === 1;
  fill(pages, ...links);
}

async function showJob() {
  if (jobId === null || queue === null) return;
  const job = await unlessGone(request(`${queuePath()}/${encodeURIComponent(jobId)}`));
  const section = document.querySelector('#job');
  section.hidden = false;
  section.querySelector('#job-text').textContent =
    job === null ? 'This job is no longer in the queue.' : `${job.type} ${job.id}`;
  section.querySelector('#close').href = hrefTo({ queue, state, page });
  // If the job has ended since, its last details stay.
  if (job === null) return;
  const shown = Object.entries(job).map(([name, value]) => [name, fieldText(name, value)]);
  fill(
    section.querySelector('dl'),
    ...shown
      .filter(([, text]) => text !== '')
      .flatMap(([name, text]) => [
        element('dt', {}, name.replace(/_ms$/, '').replaceAll('_', ' ')),
        element('dd', {}, text),
      ]),
  );
  // A task of the gateway has no steps.
  if (job.status === null) return;
  const steps = await unlessGone(request(`/api/admin/jobs/${encodeURIComponent(jobId)}/steps`));
  fill(
    section.querySelector('ol'),
    ...(steps?.items ?? []).map(({ progress, seq, step }) =>
      element('li', { value: seq }, progress === null ? step : `${step}, ${progress} %`),
    ),
  );
}

/** Null for a job that is not there any more. */
function unlessGone(read) {
  return read.catch((error) => {
    if (error.status === 404) return null;
    throw error;
  });
}

/** '' for a value that the job does not have. */
function fieldText(name, value) {
  if (name === 'progress') return `${value} %`;
  if (!value) return '';
  if (name.endsWith('_at')) return timeText(value);
  if (name.endsWith('_ms')) return `${value / 1000} s`;
  if (Array.isArray(value)) return value.map(({ id, type }) => `${type} ${id}`).join(', ');
  return String(value);
}

/**
 * Not for the gateway's own tasks, which have no status, nor for a job that failed, which has been undone.
 */
function hasProgress({ state, status }) {
  return status !== null && state !== 'failed';
}

function statusOf({ cancel_requested, state, status }) {
  if (state === 'failed') return state;
  return cancel_requested ? 'cancelling' : (status ?? state);
}

function timesOf({ begun_at, created_at, due_at, failed_at }) {
  return Object.entries({ Created: created_at, Begun: begun_at, Due: due_at, Failed: failed_at }).filter(
    ([, time]) => time !== null,
  );
}

function errorsOf({ broken_runs, error_code, error_status }) {
  const code = error_code === null ? [] : [`${error_code} (${error_status})`];
  const broken = broken_runs === 0 ? [] : [element('small', {}, `broken runs: ${broken_runs}`)];
  return [...code, ...broken];
}

function pauseButton(name, isPaused) {
  const text = isPaused ? 'Resume' : 'Pause';
  const question = isPaused ? `Resume ${name}?` : `Pause ${name}? Running jobs continue.`;
  const properties = { id: `change-${name}`, ariaLabel: `${text} ${name}` };
  return postButton(text, properties, question, `${PATH}/${name}/${text.toLowerCase()}`);
}

function runButton({ id, type }) {
  const properties = { id: `run-${id}`, ariaLabel: `Run now: ${type} ${id}` };
  const path = `${queuePath()}/${encodeURIComponent(id)}/run`;
  return postButton('Run now', properties, `Run ${type} ${id} now?`, path);
}

function postButton(text, properties, question, path) {
  const post = () => request(path, { method: 'POST' });
  return changeButton(text, properties, () => whenConfirmed(question, post, [showQueues, showJobs]));
}

function linkTo(query, text, isCurrent = false, properties = {}) {
  const current = isCurrent ? { ariaCurrent: 'true' } : {};
  return element('a', { href: hrefTo(query), ...current, ...properties }, text);
}

function hrefTo(query) {
  return below(`/ops/queues?${new URLSearchParams(query)}`);
}

function queuePath() {
  return `${PATH}/${encodeURIComponent(queue)}/entries`;
}

function idText(id) {
  return element('small', { className: 'id' }, id);
}

function warning(text) {
  return element('strong', { className: 'warning' }, text);
}
