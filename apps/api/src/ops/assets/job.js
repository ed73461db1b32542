// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import { actionButtons, causeText, runsText } from './job-parts.js';
import {
  allowsChanges,
  attempt,
  below,
  element,
  fill,
  main,
  progressBar,
  repeat,
  request,
  show,
  timeText,
} from './page.js';

const INTERVAL_MS = 5_000;
const id = (new URLSearchParams(location.search).get('id') ?? '').trim();
if (id === '') location.replace(below('/ops/jobs'));
const PATH = `/api/admin/jobs/${encodeURIComponent(id)}`;

await attempt(showJob);
main.dataset.ready = 'true';
void repeat(showJob, INTERVAL_MS);

async function showJob() {
  const [job, steps] = await Promise.all([request(PATH), request(`${PATH}/steps`)]).catch(sayWhichJob);
  document.querySelector('#job-text').textContent = `${job.type} ${job.id}`;
  document.querySelector('#job-message').textContent = job.message;
  if (allowsChanges) fill(document.querySelector('#actions'), ...actionButtons(job, [showJob]));
  const rows = fieldsOf(job).filter(([, content]) => content.length > 0);
  fill(
    document.querySelector('dl'),
    ...rows.flatMap(([name, content]) => [element('dt', {}, name), element('dd', {}, ...content)]),
  );
  show('steps', null, steps.items, 'The job has not begun.', ({ began_at, message, progress, step }) => [
    [step],
    [began_at === null ? '' : timeText(began_at)],
    [progress === null ? '' : `${progress} %`],
    [message],
  ]);
}

/** What was typed as an id may be none. */
function sayWhichJob(error) {
  throw error.status === 404 ? new Error(`There is no job ${id}.`) : error;
}

function fieldsOf(job) {
  const { cancel_requested, hold_reason, leftovers, project_id, user_id } = job;
  const state = [job.state, ...(cancel_requested ? ['cancel requested'] : [])].join(', ');
  const history = below(`/ops/history?${new URLSearchParams({ project_id })}`);
  return [
    ['State', [hold_reason === null ? state : element('strong', { className: 'warning' }, state)]],
    ['Held', hold_reason === null ? [] : [`${heldBy(hold_reason)}, since ${timeText(job.held_at)}`]],
    ['Error', causeText(job) === '' ? [] : [causeText(job)]],
    ['Progress', [progressBar({ ...job, progress: Math.max(0, job.progress) })]],
    ['Resource', job.resource_type === null ? [] : [resourceText(job)]],
    ['Project', [withId(job.project_name, project_id), ' ', element('a', { href: history }, 'History')]],
    ['User', user_id === '' ? [] : [withId(job.user_name, user_id)]],
    ...[
      ['Created', job.created_at],
      ['Started', job.started_at],
      ['Last change', job.updated_at],
      ['Ended', job.ended_at],
      ['Usually ends', job.estimated_end_at],
    ].map(([name, time]) => [name, time === null ? [] : [timeText(time)]]),
    ['Runs', [runsText(job)]],
    ['Left behind', leftovers.map((each) => element('div', {}, `${each.type} ${each.id}: ${each.reason}`))],
    ['Request', job.request_id === null ? [] : [job.request_id]],
  ];
}

function heldBy(reason) {
  return reason === 'lost_runs'
    ? 'by the gateway, because its runs have ended with their workers'
    : 'by an administrator';
}

function resourceText({ resource_id, resource_name, resource_type }) {
  return [resource_type.replaceAll('_', ' '), resource_name, resource_id && `(${resource_id})`]
    .filter(Boolean)
    .join(' ');
}

function withId(name, id) {
  return name ? `${name} (${id})` : id;
}
