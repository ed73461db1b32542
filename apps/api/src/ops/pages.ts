interface LogInPage {
  /** The name of the site. */
  site: string;
  /** Why the last attempt was refused. */
  problem?: string;
  /** What was typed in the last attempt, but for the password. */
  typed?: Partial<Record<'username' | 'project_name' | 'domain_name', string>>;
}

export function logInPage({ problem, site, typed = {} }: LogInPage): string {
  const { domain_name: domain, project_name: project, username } = typed;
  const focus = (isFirst: boolean) => (isFirst ? ' autofocus' : '');
  const notice = problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  return page(
    `Log in – ${site}`,
    `<main class="log-in">
      <h1>${escapeHtml(site)}</h1>
      <p>Queues, jobs and charts, for administrators.</p>
      ${notice}
      <form method="post" action="/ops/login">
        <label>User name <input name="username"${valueAttribute(username)} autocomplete="username" required maxlength="255"${focus(!username)}></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="4096"${focus(Boolean(username))}></label>
        <label>Project <input name="project_name"${valueAttribute(project)} maxlength="255" placeholder="the user's default project"></label>
        <label>Domain <input name="domain_name"${valueAttribute(domain)} maxlength="255" placeholder="Default"></label>
        <button>Log in</button>
      </form>
    </main>`,
  );
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
  const links = Object.entries({ '/ops': 'Overview', '/ops/queues': 'Queues' }).map(
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
