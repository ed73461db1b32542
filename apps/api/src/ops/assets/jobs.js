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
const PATH = '/api/admin/jobs';
const QUESTIONS = {
  hold: 'No worker runs it until it is released. It keeps what it has made.',
  release: 'It continues where it stopped.',
  cancel: 'What it has made is removed.',
};

/** What the page shows is in its address, so that a reload keeps it. An empty field is no filter. */
const address = new URLSearchParams(
  [...new URLSearchParams(location.search)].filter(([, value]) => value !== ''),
);
for (const field of document.querySelector('#filter').elements) {
  if (address.has(field.name)) field.value = address.get(field.name);
}

await attempt(showJobs);
main.dataset.ready = 'true';
void repeat(showJobs, INTERVAL_MS);

async function showJobs() {
  const { count, items, next_marker } = await request(`${PATH}?${address}`);
  show('jobs', `${count} on this page`, items, 'There is no such job.', (job) => [
    named(job.type, job.id),
    [job.state, ...(job.cancel_requested ? [element('small', {}, 'cancel requested')] : [])],
    [progressBar({ ...job, progress: Math.max(0, job.progress) }), element('small', {}, job.step ?? '')],
    named(job.project_name ?? '', job.project_id),
    [timeText(job.created_at), element('small', {}, job.user_name ?? '')],
    [job.message, element('small', {}, causeText(job))],
    [runsText(job)],
    ...(allowsChanges ? [job.allowed_actions.map((action) => actionButton(action, job))] : []),
  ]);
  const links = [
    ...(address.has('marker') ? [pageLink('First page', null)] : []),
    ...(next_marker === null ? [] : [pageLink('Next', next_marker)]),
  ];
  fill(document.querySelector('#pages'), ...links);
}

/** The message of a job that has failed is its error. */
function causeText({ code, error, message }) {
  return [code, error === message ? null : error].filter((each) => each !== null).join(': ');
}

function runsText({ faults, lost_runs, runs }) {
  const others = [
    [lost_runs, 'lost'],
    [faults, 'broken off'],
  ].filter(([count]) => count > 0);
  return [String(runs), ...others.map(([count, what]) => `${count} ${what}`)].join(', ');
}

function named(name, id) {
  return [name, element('small', { className: 'id' }, id)];
}

function pageLink(text, marker) {
  const query = new URLSearchParams(address);
  if (marker === null) query.delete('marker');
  else query.set('marker', marker);
  return element('a', { href: below(`/ops/jobs?${query}`) }, text);
}

function actionButton(action, { id, type }) {
  const text = `${action[0].toUpperCase()}${action.slice(1)}`;
  const properties = { id: `${action}-${id}`, ariaLabel: `${text} ${type} ${id}` };
  const send = () => request(`${PATH}/${encodeURIComponent(id)}/${action}`, { method: 'POST' });
  const question = `${text} ${type} ${id}? ${QUESTIONS[action]}`;
  return changeButton(text, properties, () => whenConfirmed(question, send, [showJobs]));
}
