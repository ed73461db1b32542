// The shared part of all views of the page. Runs in the browser without a build step. Sets foreign
// texts as text only, never as HTML.

/** The gateway may be below a path of its host, such as `/gw`. */
const PREFIX = new URL('../..', import.meta.url).pathname.slice(0, -1);

export const main = document.querySelector('main');
export const allowsChanges = document.body.dataset.allowsChanges === 'true';
/** Null if the api does not say it: the page works without. */
const siteName = send('/api/site-config').then(
  ({ site_name }) => site_name,
  () => null,
);

/** Where the log-in leads, when the session has ended at another page of these. */
const RETURN_TO = 'gateway-ops-return-to';

/** Leaves the log-in. */
export function returnToPage() {
  const address = sessionStorage.getItem(RETURN_TO);
  sessionStorage.removeItem(RETURN_TO);
  location.assign(address ?? below('/ops'));
}

/** Error messages by action. */
const problems = new Map();

/** Replaces what the page shows below the header by a template. */
export function showView(name, className = '') {
  const template = document.querySelector(`#view-${name}`);
  const view = document.querySelector('#view');
  view.replaceChildren(template.content.cloneNode(true));
  main.className = className;
  if (!allowsChanges) for (const each of view.querySelectorAll('[data-change]')) each.remove();
  const { title } = template.dataset;
  document.title = title;
  void siteName.then((site) => {
    if (site === null) return;
    document.title = `${title} – ${site}`;
    for (const each of document.querySelectorAll('.site')) each.textContent = site;
  });
  return view;
}

/**
 * What the page shows is in its address, so that a reload keeps it. An empty field of the form is no filter.
 */
export function addressOfFilter() {
  const address = new URLSearchParams(
    [...new URLSearchParams(location.search)].filter(([, value]) => value !== ''),
  );
  for (const field of document.querySelector('#filter').elements) {
    if (address.has(field.name)) field.value = address.get(field.name);
  }
  return address;
}

/** Links to the first and the next page of a list with markers. */
export function showPages(path, address, nextMarker) {
  const link = (text, marker) => {
    const query = new URLSearchParams(address);
    if (marker === null) query.delete('marker');
    else query.set('marker', marker);
    return element('a', { href: below(`${path}?${query}`) }, text);
  };
  fill(
    document.querySelector('#pages'),
    ...(address.has('marker') ? [link('First page', null)] : []),
    ...(nextMarker === null ? [] : [link('Next', nextMarker)]),
  );
}

/** Fills a table. `cellsOf` returns what the cells of a row contain. A table may show no count: null. */
export function show(id, countText, items, emptyText, cellsOf) {
  if (countText !== null) document.querySelector(`#${id}-count`).textContent = countText;
  const labels = [...document.querySelectorAll(`#${id} th`)].map(({ textContent }) => textContent);
  const rows = items.map((item) => {
    const cells = cellsOf(item).map((content, index) => {
      const cell = element('td', {}, ...content);
      cell.dataset.label = labels[index];
      return cell;
    });
    return element('tr', {}, ...cells);
  });
  const empty = element('tr', {}, element('td', { className: 'empty', colSpan: labels.length }, emptyText));
  fill(document.querySelector(`#${id} tbody`), ...(rows.length === 0 ? [empty] : rows));
}

/** Replaces the content of an element unless it is the same, so that a selection stays. Keeps the focus. */
export function fill(parent, ...children) {
  const filled = parent.cloneNode(false);
  filled.append(...children);
  if (parent.isEqualNode(filled)) return;
  const keyOf = ({ href, id }) => id || href;
  const key = parent.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
  parent.replaceChildren(...filled.childNodes);
  if (key !== undefined)
    [...parent.querySelectorAll('a, button')].find((each) => keyOf(each) === key)?.focus();
}

export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function progressBar({ progress, type }) {
  const bar = element('progress', { max: 100, value: progress, ariaLabel: `Progress of ${type}` });
  return element('span', { className: 'progress' }, bar, `${progress} %`);
}

const timeFormat = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** With the zone of the browser, because operators send each other times. */
export function timeText(timestamp) {
  return timeFormat.format(new Date(timestamp));
}

export function zoneText() {
  return timeFormat.formatToParts().find(({ type }) => type === 'timeZoneName').value;
}

export function changeButton(text, properties, onClick) {
  const button = element('button', { type: 'button', ...properties }, text);
  button.addEventListener('click', onClick);
  return button;
}

/** Sends a change after a confirmation, and shows its result. */
export function whenConfirmed(question, change, shows) {
  if (!confirm(question)) return;
  void attempt(async function sendChange() {
    await change();
  }).then(() => Promise.all(shows.map(attempt)));
}

export async function repeat(show, intervalMs) {
  for (;;) {
    await attempt(show);
    await pause(intervalMs);
  }
}

export function pause(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Shows an error above everything else, until the same action succeeds. @returns whether it has succeeded */
export async function attempt(action) {
  try {
    await action();
    problems.delete(action.name);
  } catch (error) {
    problems.set(action.name, error.message);
  }
  const problem = document.querySelector('#problem');
  problem.hidden = problems.size === 0;
  const text = [...new Set(problems.values())].join(' ');
  // Screen readers repeat a text that is set again.
  if (problem.textContent !== text) problem.textContent = text;
  return !problems.has(action.name);
}

/** A path of the gateway as the browser knows it. */
export function below(path) {
  return PREFIX + path;
}

/** The JSON of a response of the api. After the end of the session, the page becomes the log-in. */
export async function request(path, options) {
  try {
    return await send(path, options);
  } catch (error) {
    if (error.status === 401) {
      sessionStorage.setItem(RETURN_TO, location.href);
      location.replace(below('/ops/login'));
    }
    throw error;
  }
}

/** The JSON of a response of the api. @throws an error with its `status`, and what its body says */
export async function send(path, { body, method = 'GET' } = {}) {
  // Pages of other origins cannot set the first header, without which the api accepts no change.
  const headers = {
    'x-gateway-csrf': '1',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const options = { method, headers, body: JSON.stringify(body) };
  const response = await fetch(below(path), options).catch(() => null);
  if (response === null) throw new Error('The gateway does not answer. The page tries again by itself.');
  const { ok, status } = response;
  const content = await response.json().catch(() => ({}));
  if (ok) return content;
  const { code, detail, receipt } = content;
  const text = detail ?? `The gateway answered ${status}. The page tries again by itself.`;
  throw Object.assign(new Error(text), { status, code, receipt });
}
