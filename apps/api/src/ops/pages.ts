import { jobStates } from '../routes/jobs/schemas.ts';

export interface SiteOfPage {
  /** The name of the site. */
  site: string;
  /** The single sign-ons that the site offers. */
  providers: readonly { id: string; name: string }[];
}

interface LogInPage extends SiteOfPage {
  /** Why the last attempt was refused. */
  problem?: string;
  /** What has been done instead of a log-in. */
  notice?: string;
  /** What was typed in the last attempt, but for the password. */
  typed?: Partial<Record<'username' | 'user_domain' | 'project_name' | 'project_domain', string>>;
}

export function logInPage({ notice, problem, providers, site, typed = {} }: LogInPage): string {
  const { project_domain: projectDomain, project_name: project, user_domain: domain, username } = typed;
  const focus = (isFirst: boolean) => (isFirst ? ' autofocus' : '');
  return formPage(
    site,
    `<p>Queues, jobs and charts, for administrators.</p>
      ${notice === undefined ? '' : `<p role="status">${escapeHtml(notice)}</p>`}
      ${alertOf(problem)}
      <form method="post" action="/ops/login">
        <label>User name <input name="username"${valueAttribute(username)} autocomplete="username" required maxlength="255"${focus(!username)}></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="4096"${focus(Boolean(username))}></label>
        <label>Project <input name="project_name"${valueAttribute(project)} maxlength="255" placeholder="the user's default project"></label>
        <label>Domain <input name="user_domain"${valueAttribute(domain)} maxlength="255" placeholder="Default"></label>
        <label>Domain of the project <input name="project_domain"${valueAttribute(projectDomain)} maxlength="255" placeholder="the user's domain"></label>
        <button>Log in</button>
      </form>
      ${providers.map(({ id, name }) => `<p><a class="button" href="/ops/sso/${id}">Log in with ${escapeHtml(name)}</a></p>`).join('\n      ')}`,
  );
}

/** Where a single sign-on ends. Its script sends the code in the page's address, and removes it there. */
export function signOnPage({ site }: Pick<SiteOfPage, 'site'>): string {
  return formPage(
    site,
    `<p role="status">The log-in is being completed.</p>
      <form method="post" action="/ops/sso"><input type="hidden" name="code"></form>
      <script type="module" src="/ops/assets/sign-on.js"></script>`,
  );
}

interface PasscodePage extends Pick<LogInPage, 'problem' | 'site'> {
  /** Sealed. The form sends it, so that it is in no address. */
  receipt: string;
}

/** The second step of a log-in. */
export function passcodePage({ problem, receipt, site }: PasscodePage): string {
  return formPage(
    site,
    `<p>Your account requires a one-time passcode as well.</p>
      ${alertOf(problem)}
      <form method="post" action="/ops/login">
        <input type="hidden" name="receipt"${valueAttribute(receipt)}>
        <label>Passcode <input name="passcode" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" title="six digits" maxlength="6" required autofocus></label>
        <button>Log in</button>
      </form>
      <p><a href="/ops/login">Another user</a></p>`,
  );
}

/** Changes an expired password. The log-in follows. */
export function expiredPasswordPage({
  problem,
  site,
  typed = {},
}: Omit<LogInPage, 'notice' | 'providers'>): string {
  const passwordField = (label: string, name: string, autocomplete: string) =>
    `<label>${label} <input name="${name}" type="password" autocomplete="${autocomplete}" required maxlength="4096"></label>`;
  return formPage(
    site,
    `<p>Your password has expired. Please choose another one.</p>
      ${alertOf(problem)}
      <form method="post" action="/ops/expired-password">
        <label>User name <input name="username"${valueAttribute(typed.username)} autocomplete="username" required maxlength="255"></label>
        <label>Domain <input name="user_domain"${valueAttribute(typed.user_domain)} maxlength="255" placeholder="Default"></label>
        ${passwordField('Expired password', 'current_password', 'current-password')}
        ${passwordField('New password', 'new_password', 'new-password')}
        ${passwordField('New password again', 'repeated_password', 'new-password')}
        <button>Change password</button>
      </form>
      <p><a href="/ops/login">Another user</a></p>`,
  );
}

function formPage(site: string, content: string): string {
  return page(
    `Log in – ${site}`,
    `<main class="log-in">
      <h1>${escapeHtml(site)}</h1>
      ${content}
    </main>`,
  );
}

function alertOf(problem: string | undefined): string {
  return problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
}

/** What the pages behind the log-in show of the operator and of their rights. */
export interface PageOfOperator {
  site: string;
  userName: string;
  allowsChanges: boolean;
}

export function overviewPage(shared: PageOfOperator): string {
  return pageOfOperator(shared, {
    title: 'Operations',
    path: '/ops',
    script: 'overview.js',
    head: '<link rel="stylesheet" href="/ops/assets/uplot.css">',
    content: `${tableSection('jobs', 'Jobs', ['Job', 'Status', 'Progress', 'Step', 'Project', 'Started'])}
      ${tableSection('failures', 'Failures of the last day', ['Job', 'Failed', 'Project', 'Reason', 'Request'])}
      ${tableSection('leftovers', 'Leftovers', ['Resource', 'Project', 'Created', 'Reason', 'Action'])}
      <section aria-label="The cloud over time">
        <h2>The cloud over time
          <select id="range" aria-label="Time range"><option value="1d">1 day</option><option value="2d">2 days</option><option value="7d" selected>7 days</option><option value="30d">30 days</option></select>
        </h2>
        <div id="charts"></div>
      </section>`,
  });
}

/** The jobs of all projects. The query of the page's address, which the form makes, is that of their list. */
export function jobsPage(shared: PageOfOperator): string {
  const actions = shared.allowsChanges ? ['Action'] : [];
  const columns = ['Job', 'State', 'Progress', 'Project', 'Created', 'Message', 'Runs', ...actions];
  const options = ['', ...jobStates].map((state) => `<option value="${state}">${state || 'any'}</option>`);
  return pageOfOperator(shared, {
    title: 'Jobs',
    path: '/ops/jobs',
    script: 'jobs.js',
    content: tableSection('jobs', 'Jobs', columns, {
      above: `<form id="filter" method="get" action="/ops/jobs">
          <label>State <select name="state">${options.join('')}</select></label>
          <label>Type <input name="type" maxlength="255" placeholder="any"></label>
          <label>Project <input name="project_id" maxlength="255" placeholder="id, or any"></label>
          <label>Older than <input name="min_age_seconds" type="number" min="0" placeholder="seconds"></label>
          <button>Show</button>
        </form>`,
      below: '<nav id="pages" aria-label="Pages of jobs"></nav>',
    }),
  });
}

/** The script shows the queue, state, page and job that the query of the page's address names. */
export function queuesPage(shared: PageOfOperator): string {
  const actions = shared.allowsChanges ? ['Action'] : [];
  const queues = ['Queue', 'Waiting', 'Active', 'Delayed', 'Failed', 'Live workers', 'State', ...actions];
  const jobs = ['Job', 'Status', 'Progress', 'Project', 'Times', 'Errors', ...actions];
  return pageOfOperator(shared, {
    title: 'Queues',
    path: '/ops/queues',
    script: 'queues.js',
    content: `${tableSection('queues', 'Queues', queues)}
      <section id="job" aria-labelledby="job-title" hidden>
        <h2><span id="job-title">Job</span> <small id="job-text"></small> <a id="close">Close</a></h2>
        <dl></dl>
        <h3>Steps</h3>
        <ol></ol>
      </section>
      ${tableSection('jobs', 'Jobs', jobs, { above: '<nav id="states" aria-label="States"></nav>', below: '<nav id="pages" aria-label="Pages of jobs" hidden></nav>' })}`,
  });
}

/** The sessions of the operator, also those of other clients. */
export function sessionsPage(shared: PageOfOperator): string {
  return pageOfOperator(shared, {
    title: 'My sessions',
    path: '/ops/sessions',
    script: 'sessions.js',
    content: tableSection(
      'sessions',
      'My sessions',
      ['Client', 'Address', 'Logged in', 'Last request', 'Ends', 'Action'],
      { below: '<p><button id="end-others" type="button" hidden>End all others</button></p>' },
    ),
  });
}

interface OperatorContent {
  title: string;
  path: string;
  /** The name of a file among the assets. */
  script: string;
  head?: string;
  /** HTML. */
  content: string;
}

function pageOfOperator({ allowsChanges, site, userName }: PageOfOperator, shown: OperatorContent): string {
  const pages = {
    '/ops': 'Overview',
    '/ops/jobs': 'Jobs',
    '/ops/queues': 'Queues',
    '/ops/sessions': 'My sessions',
  };
  const links = Object.entries(pages).map(
    ([path, text]) => `<a href="${path}"${path === shown.path ? ' aria-current="page"' : ''}>${text}</a>`,
  );
  return page(
    `${shown.title} – ${site}`,
    `<header>
      <h1>${escapeHtml(site)}</h1>
      <nav aria-label="Pages">${links.join(' ')}</nav>
      <span class="user">${escapeHtml(userName)}${allowsChanges ? '' : ' (read-only)'}</span>
      <form method="post" action="/ops/logout"><button>Log out</button></form>
    </header>
    <main data-allows-changes="${allowsChanges}">
      <p id="problem" class="problem" role="alert" hidden></p>
      ${shown.content}
    </main>
    <script type="module" src="/ops/assets/${shown.script}"></script>`,
    shown.head,
  );
}

/** A table that the page's script fills, and HTML above and below it. */
function tableSection(id: string, title: string, columns: string[], { above = '', below = '' } = {}): string {
  const heads = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  return `<section aria-labelledby="${id}-title">
        <h2><span id="${id}-title">${title}</span> <small id="${id}-count"></small></h2>
        ${above}
        <table id="${id}" aria-labelledby="${id}-title"><thead><tr>${heads}</tr></thead><tbody></tbody></table>
        ${below}
      </section>`;
}

function valueAttribute(text: string | undefined): string {
  return text === undefined ? '' : ` value="${escapeHtml(text)}"`;
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    ${head}
    <link rel="stylesheet" href="/ops/assets/ops.css">
  </head>
  <body>
    ${body}
  </body>
</html>
`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
