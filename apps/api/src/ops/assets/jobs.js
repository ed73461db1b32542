// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import { actionButtons, causeText, jobLink, named, runsText } from './job-parts.js';
import {
  addressOfFilter,
  allowsChanges,
  attempt,
  element,
  main,
  progressBar,
  repeat,
  request,
  show,
  showPages,
  timeText,
} from './page.js';

const INTERVAL_MS = 5_000;
const address = addressOfFilter();

await attempt(showJobs);
main.dataset.ready = 'true';
void repeat(showJobs, INTERVAL_MS);

async function showJobs() {
  const { count, items, next_marker } = await request(`/api/admin/jobs?${address}`);
  show('jobs', `${count} on this page`, items, 'There is no such job.', (job) => [
    jobLink(job),
    [job.state, ...(job.cancel_requested ? [element('small', {}, 'cancel requested')] : [])],
    [progressBar({ ...job, progress: Math.max(0, job.progress) }), element('small', {}, job.step ?? '')],
    named(job.project_name ?? '', job.project_id),
    [timeText(job.created_at), element('small', {}, job.user_name ?? '')],
    [job.message, element('small', {}, causeText(job))],
    [runsText(job)],
    ...(allowsChanges ? [actionButtons(job, [showJobs])] : []),
  ]);
  showPages('/ops/jobs', address, next_marker);
}
