// Runs in the browser, as it is. Texts of others are set as text only, never as HTML.
import uPlot from './uplot.js';

const JOBS_INTERVAL_MS = 5_000;
const LEFTOVERS_INTERVAL_MS = 60_000;
const CHART_HEIGHT = 220;
const GRID = '#eef1f4';
const formatDay = uPlot.fmtDate('{MM}-{DD}');
const formatHour = uPlot.fmtDate('{MM}-{DD} {HH}:{mm}');
const COLORS = ['#2457b3', '#2f8f46', '#c98a00', '#b42318', '#8032b3'];

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

const main = document.querySelector('main');
const allowsChanges = main.dataset.allowsChanges === 'true';
const range = document.querySelector('#range');

void repeat(showJobs, JOBS_INTERVAL_MS);
void repeat(showLeftovers, LEFTOVERS_INTERVAL_MS);
range.addEventListener('change', () => attempt(showCharts));
await attempt(showCharts);
main.dataset.ready = 'true';

async function showJobs() {
  const { items, total } = await request('/ops/data/jobs');
  document.querySelector('#job-count').textContent =
    total > items.length ? `the newest ${items.length} of ${total}` : `${total} running or waiting`;
  fill('#jobs', items, 'No job is running or waiting.', (job) => [
    element('td', {}, job.type, element('small', { className: 'id' }, job.id)),
    element('td', {}, job.status),
    element(
      'td',
      {},
      element(
        'span',
        { className: 'progress' },
        element('progress', { max: 100, value: job.progress }),
        `${job.progress} %`,
      ),
    ),
    element('td', {}, job.step ?? ''),
    element('td', { className: 'id' }, job.project_id),
    element('td', {}, timeText(job.created_at)),
  ]);
}

async function showLeftovers() {
  const { items, total, unavailable } = await request('/ops/api/admin/leftovers');
  const missing = unavailable.length === 0 ? '' : `; not available: ${unavailable.join(', ')}`;
  document.querySelector('#leftover-count').textContent = `${total}${missing}`;
  fill('#leftovers', items, 'There are no leftovers.', (leftover) => [
    element(
      'td',
      {},
      `${leftover.type} ${leftover.name}`,
      element('small', { className: 'id' }, leftover.id),
    ),
    element('td', { className: 'id' }, leftover.project_id),
    element('td', {}, leftover.created_at === null ? '' : timeText(leftover.created_at)),
    element(
      'td',
      {},
      leftover.reason,
      ...(leftover.doubt === null ? [] : [element('small', {}, `In doubt: ${leftover.doubt}`)]),
    ),
    element('td', {}, ...(allowsChanges && leftover.is_removable ? [removeButton(leftover)] : [])),
  ]);
}

function removeButton({ doubt, id, name, type }) {
  const button = element('button', { type: 'button' }, 'Remove');
  button.addEventListener('click', () => {
    const warning = doubt === null ? '' : `\n\nIn doubt: ${doubt}`;
    if (!confirm(`Remove ${type} ${name || id}?${warning}`)) return;
    button.disabled = true;
    const path = `/ops/api/admin/leftovers/${encodeURIComponent(type)}/${encodeURIComponent(id)}/remove`;
    void attempt(async () => {
      await request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ force: doubt !== null }),
      });
      await showJobs();
    });
  });
  return button;
}

async function showCharts() {
  const types = [...new Set(CHARTS.map(({ type }) => type))];
  const read = async (type) => [
    type,
    await request(`/ops/api/admin/timeseries/${type}?range=${range.value}`),
  ];
  const series = Object.fromEntries(await Promise.all(types.map(read)));
  const charts = CHARTS.map((chart) => {
    const figure = element('div', {}, element('h3', {}, chart.title));
    if (series[chart.type].length === 0)
      figure.append(element('p', { className: 'empty' }, 'No snapshots yet'));
    return figure;
  });
  document.querySelector('#charts').replaceChildren(...charts);
  CHARTS.forEach((chart, index) => {
    if (series[chart.type].length > 0) draw(charts[index], chart, series[chart.type]);
  });
}

function draw(figure, { fields }, snapshots) {
  const names = Object.keys(fields);
  const data = [
    snapshots.map(({ timestamp }) => Date.parse(timestamp) / 1000),
    ...names.map((name) => snapshots.map((snapshot) => snapshot[name])),
  ];
  const days = Number.parseInt(range.value, 10);
  const now = Date.now() / 1000;
  const options = {
    width: Math.floor(figure.clientWidth),
    height: CHART_HEIGHT,
    scales: {
      x: { range: () => [now - days * 86_400, now] },
      y: { range: (_plot, _least, most) => [0, Math.max(4, Math.ceil(most * 1.1))] },
    },
    axes: [
      {
        grid: { stroke: GRID },
        size: 34,
        values: (_plot, times) => times.map((time) => dateText(time, days)),
      },
      { grid: { stroke: GRID }, incrs: wholeSteps(), size: 56 },
    ],
    // The latest values, until the pointer is over the chart.
    hooks: { ready: [(plot) => plot.setLegend({ idx: snapshots.length - 1 }, false)] },
    series: [
      { value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
      ...names.map((name, index) => ({
        label: fields[name],
        stroke: COLORS[index],
        width: 2,
        // A line needs two points.
        points: { show: snapshots.length < 30 ? true : undefined, size: 6 },
      })),
    ],
  };
  new uPlot(options, data, figure);
}

function dateText(seconds, days) {
  return (days > 2 ? formatDay : formatHour)(new Date(seconds * 1000));
}

/** Steps of an axis that counts. */
function wholeSteps() {
  return Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
}

function fill(table, items, emptyText, cellsOf) {
  const rows = items.map((item) => element('tr', {}, ...cellsOf(item)));
  const empty = element('tr', {}, element('td', { className: 'empty', colSpan: 6 }, emptyText));
  document.querySelector(`${table} tbody`).replaceChildren(...(rows.length === 0 ? [empty] : rows));
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function timeText(timestamp) {
  return new Date(timestamp).toLocaleString('sv-SE');
}

async function repeat(show, intervalMs) {
  for (;;) {
    await attempt(show);
    await new Promise((resolve) => {
      setTimeout(resolve, intervalMs);
    });
  }
}

/** Shows what went wrong above everything else, until something works again. */
async function attempt(action) {
  const problem = document.querySelector('#problem');
  try {
    await action();
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

/** The JSON of a response. After the end of the session, the page becomes the log-in page. */
async function request(path, options) {
  const response = await fetch(path, options);
  if (response.status === 401) location.assign('/ops/login');
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail ?? `The gateway answered ${response.status}.`);
  return body;
}
