// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import { named } from './job-parts.js';
import {
  addressOfFilter,
  attempt,
  below,
  element,
  main,
  request,
  show,
  showPages,
  timeText,
} from './page.js';

const address = addressOfFilter();

await attempt(showRecords);
main.dataset.ready = 'true';

async function showRecords() {
  const { count, items, next_marker } = await request(`/api/admin/audit?${address}`);
  show('audit', `${count} on this page`, items, 'There is no such record.', (record) => [
    [timeText(record.timestamp)],
    [record.user_name ?? record.user_id ?? '', element('small', {}, record.address)],
    [`${record.method} ${record.route}`, element('small', { className: 'id' }, record.request_id)],
    record.resource_id === null ? [] : [element('span', { className: 'id' }, record.resource_id)],
    projectOf(record),
    [`${record.outcome} (${record.status})`],
    record.job_id === null ? [] : [jobIdLink(record.job_id)],
  ]);
  showPages('/ops/audit', address, next_marker);
}

/** The one that the request names, if it names one. */
function projectOf({ project_id, project_name, target_project_id, target_project_name }) {
  return target_project_id === null
    ? named(project_name ?? '', project_id)
    : named(target_project_name ?? '', target_project_id);
}

function jobIdLink(id) {
  return element('a', { className: 'id', href: below(`/ops/job?${new URLSearchParams({ id })}`) }, id);
}
