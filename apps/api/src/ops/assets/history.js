// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import { jobLink, named } from './job-parts.js';
import { addressOfFilter, attempt, element, main, request, show, showPages, timeText } from './page.js';

const address = addressOfFilter();

await attempt(showHistory);
main.dataset.ready = 'true';

async function showHistory() {
  const { count, items, next_marker } = await request(`/api/history?${address}`);
  show('history', `${count} on this page`, items, 'There is no such entry.', (entry) => [
    [timeText(entry.timestamp)],
    [entry.user_name ?? entry.user_id],
    [
      entry.method === null ? '' : `${entry.method} ${entry.route}`,
      element('small', { className: 'id' }, entry.request_id),
    ],
    entry.resource_ids.flatMap((id, index) => named(entry.resource_names[index] ?? '', id)),
    [outcomeText(entry), element('small', {}, entry.error ?? '')],
    entry.job_id === null ? [] : jobLink({ id: entry.job_id, type: entry.job_type ?? 'job' }),
  ]);
  showPages('/ops/history', address, next_marker);
}

function outcomeText({ code, outcome, status }) {
  const details = [status, code].filter((each) => each !== null).join(', ');
  return details === '' ? outcome : `${outcome} (${details})`;
}
