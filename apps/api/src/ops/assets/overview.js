// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import { showAttention, showCountOfFailures, showCountOfLeftovers } from './attention.js';
import { jobLink, named } from './job-parts.js';
import {
  allowsChanges,
  attempt,
  element,
  main,
  pause,
  progressBar,
  repeat,
  request,
  show,
  timeText,
  zoneText,
} from './page.js';
import { offerReadOnly } from './read-only.js';
import uPlot from './uplot.js';

const JOBS_INTERVAL_MS = 5_000;
const SLOW_INTERVAL_MS = 60_000;
const POLL_MS = 1_000;
const ENDED = ['completed', 'failed', 'cancelled'];
const CHART_HEIGHT = 220;
/** Pixels from one label of the axis to the next: of a day, and of a day with its hour. */
const DAY_SPACE = 50;
const HOUR_SPACE = 90;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const formatDay = uPlot.fmtDate('{MM}-{DD}');
const formatHour = uPlot.fmtDate('{MM}-{DD} {HH}:{mm}');
const formatDate = uPlot.fmtDate('{YYYY}-{MM}-{DD}');

/** The lines of each chart, by field of the snapshots. */
const CHARTS = [
  {
    type: 'instances',
    title: 'Instances',
    fields: { total: 'all', active: 'active', shutoff: 'shut off', error: 'error' },
  },
  {
    type: 'volumes',
    title: 'Volumes',
    fields: { total: 'all', in_use: 'in use', available: 'available', error: 'error' },
  },
  { type: 'volumes', title: 'Size of volumes, in GiB', fields: { total_gb: 'GiB' } },
  {
    type: 'networks',
    title: 'Networks',
    fields: {
      networks: 'networks',
      routers: 'routers',
      floating_ips_total: 'floating IPs',
      floating_ips_used: 'floating IPs in use',
    },
  },
  { type: 'file_storage', title: 'File storages', fields: { total: 'file storages' } },
  { type: 'file_storage', title: 'Size of file storages, in GiB', fields: { total_gb: 'GiB' } },
];

const range = document.querySelector('#range');

let charts = [];

showAttention();
if (allowsChanges) offerReadOnly(document.querySelector('#begin-read-only form'));
void repeat(showJobs, JOBS_INTERVAL_MS);
void repeat(showFailures, JOBS_INTERVAL_MS);
void repeat(showLeftovers, SLOW_INTERVAL_MS);
range.addEventListener('change', () => attempt(showCharts));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => attempt(showCharts));
addEventListener('resize', fitCharts);
await attempt(showCharts);
main.dataset.ready = 'true';

async function showJobs() {
  const { items, next_marker } = await request('/api/admin/jobs?has_ended=false&limit=100');
  const count = next_marker === null ? `${items.length} running or waiting` : `the newest ${items.length}`;
  show('jobs', count, items, 'No job is running or waiting.', (job) => [
    jobLink(job),
    [
      job.cancel_requested ? 'cancelling' : job.state,
      ...(job.error === null ? [] : [element('small', {}, job.error)]),
    ],
    [progressBar({ ...job, progress: Math.max(0, job.progress) })],
    [job.step ?? ''],
    projectCell(job),
    [timeText(job.created_at)],
  ]);
}

async function showFailures() {
  const { items, total } = await request('/api/admin/failures');
  const count = total > items.length ? `the newest ${items.length} of ${total}` : String(total);
  showCountOfFailures(total);
  show('failures', count, items, 'No job has failed.', (job) => [
    jobLink(job),
    [timeText(job.failed_at)],
    projectCell(job),
    [
      job.reason,
      element('small', {}, [job.service, job.code, job.status].filter((each) => each !== null).join(', ')),
    ],
    [element('span', { className: 'id' }, job.request_id ?? '')],
  ]);
}

async function showLeftovers(query = '') {
  const { items, total, unavailable } = await request(`/api/admin/leftovers${query}`);
  showCountOfLeftovers(total);
  const missing = unavailable.length === 0 ? '' : `; not available: ${unavailable.join(', ')}`;
  show('leftovers', `${total}${missing}`, items, 'There are no leftovers.', (leftover) => [
    named(`${leftover.type} ${leftover.name}`, leftover.id),
    projectCell(leftover),
    [leftover.created_at === null ? '' : timeText(leftover.created_at)],
    [
      leftover.reason,
      ...(leftover.doubt === null ? [] : [element('small', {}, `In doubt: ${leftover.doubt}`)]),
    ],
    allowsChanges && leftover.is_removable ? [removeButton(leftover)] : [],
  ]);
}

function projectCell({ project_id: id, project_name: name }) {
  return name === null ? [element('span', { className: 'id' }, id ?? '')] : named(name, id);
}

function removeButton({ doubt, id, name, type }) {
  const button = element('button', { type: 'button', ariaLabel: `Remove ${type} ${name || id}` }, 'Remove');
  button.addEventListener('click', () => {
    const warning = doubt === null ? '' : `\n\nIn doubt: ${doubt}`;
    if (!confirm(`Remove ${type} ${name || id}?${warning}`)) return;
    button.disabled = true;
    const path = `/api/admin/leftovers/${encodeURIComponent(type)}/${encodeURIComponent(id)}/remove`;
    void attempt(async function remove() {
      const { job_id } = await request(path, {
        method: 'POST',
        body: { force: doubt !== null },
      });
      await showJobs();
      await untilEnded(job_id);
      await showLeftovers('?refresh=true');
    });
  });
  return button;
}

async function untilEnded(jobId) {
  const path = `/api/admin/jobs/${encodeURIComponent(jobId)}`;
  while (!ENDED.includes((await request(path)).state)) await pause(POLL_MS);
}

async function showCharts() {
  const types = [...new Set(CHARTS.map(({ type }) => type))];
  const read = async (type) => [type, await request(`/api/admin/timeseries/${type}?range=${range.value}`)];
  const series = Object.fromEntries(await Promise.all(types.map(read)));
  const figures = CHARTS.map((chart) => {
    const snapshots = series[chart.type];
    const text = snapshots.length === 0 ? 'No snapshots yet' : summaryOf(chart, snapshots);
    const className = snapshots.length === 0 ? 'chart-text empty' : 'chart-text';
    return element('div', {}, element('h3', {}, chart.title), element('p', { className }, text));
  });
  document.querySelector('#charts').replaceChildren(...figures);
  charts = CHARTS.flatMap((chart, index) =>
    series[chart.type].length === 0 ? [] : [draw(figures[index], chart, series[chart.type])],
  );
}

/** Today's figures, and since when there are any. */
function summaryOf({ fields }, snapshots) {
  const secondsOf = ({ timestamp }) => Date.parse(timestamp) / 1000;
  const latest = snapshots.at(-1);
  const today = formatDate(new Date());
  const first = snapshots.find((each) => formatDate(new Date(each.timestamp)) === today) ?? latest;
  const figures = Object.entries(fields).map(([field, label]) => {
    const change = latest[field] - first[field];
    const sign = change > 0 ? '+' : '';
    return `${latest[field]} ${label}${change === 0 ? '' : ` (${sign}${change})`}`;
  });
  const start = Date.now() / 1000 - days() * DAY_S;
  const isShort = secondsOf(snapshots[0]) > start + HOUR_S;
  const since = isShort ? ` Collecting since ${timeText(snapshots[0].timestamp)}.` : '';
  const day = formatDate(new Date(latest.timestamp)) === today ? 'Today' : timeText(latest.timestamp);
  return `${day}: ${figures.join(', ')}.${since}`;
}

function draw(figure, { fields, title }, snapshots) {
  const names = Object.keys(fields);
  const data = [
    snapshots.map(({ timestamp }) => Date.parse(timestamp) / 1000),
    ...names.map((name) => snapshots.map((snapshot) => snapshot[name])),
  ];
  const span = days();
  const now = Date.now() / 1000;
  const axis = {
    stroke: color('--soft'),
    grid: { stroke: color('--line') },
    ticks: { stroke: color('--line') },
  };
  const options = {
    width: Math.floor(figure.clientWidth),
    height: CHART_HEIGHT,
    // Half of a label of the axis may be beyond the last hour.
    padding: [null, HOUR_SPACE / 2, null, null],
    scales: {
      x: { range: () => [now - span * DAY_S, now] },
      y: { range: (_plot, _least, most) => [0, Math.max(4, Math.ceil(most * 1.1))] },
    },
    axes: [
      {
        ...axis,
        size: 34,
        space: showsHours(span) ? HOUR_SPACE : DAY_SPACE,
        values: (_plot, times) => times.map((time) => dateText(time, span)),
      },
      { ...axis, incrs: wholeSteps(), size: 56 },
    ],
    // The latest values, until the pointer is over the chart.
    hooks: { ready: [(plot) => plot.setLegend({ idx: snapshots.length - 1 }, false)] },
    series: [
      { label: `Time, ${zoneText()}`, value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
      ...names.map((name, index) => ({
        label: fields[name],
        stroke: color(`--line-${index + 1}`),
        width: 2,
        // A line needs two points.
        points: { show: snapshots.length < 30 ? true : undefined, size: 6 },
      })),
    ],
  };
  const plot = new uPlot(options, data, figure);
  const canvas = figure.querySelector('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${title}: ${summaryOf({ fields }, snapshots)}`);
  return { figure, plot };
}

function fitCharts() {
  for (const { figure, plot } of charts) {
    plot.setSize({ width: Math.floor(figure.clientWidth), height: CHART_HEIGHT });
  }
}

function days() {
  return Number.parseInt(range.value, 10);
}

/** A colour of the style, which depends on the scheme. */
function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function showsHours(days) {
  return days <= 2;
}

function dateText(seconds, days) {
  return (showsHours(days) ? formatHour : formatDay)(new Date(seconds * 1000));
}

/** Steps of an axis that counts. */
function wholeSteps() {
  return Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
}
