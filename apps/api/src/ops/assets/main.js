// Shows what the page's address names. Runs in the browser without a build step.
import { NOT_ADMINISTRATOR, returnFromSignOn, showLogIn } from './log-in.js';
import { allowsChanges, attempt, below, pause, request, showView } from './page.js';

const INTERVAL_MS = 5_000;
/** What comes after `/ops/`, without a slash at its end. */
const name = location.pathname.slice(below('/ops/').length).replace(/\/$/, '');

document.querySelector('#log-out').addEventListener('click', () => attempt(logOut));
if (name === 'login') showLogIn();
else if (name === 'sso') returnFromSignOn();
else while (!(await attempt(showOperator))) await pause(INTERVAL_MS);

/** For those who are logged in at this origin. Others get to the log-in. */
async function showOperator() {
  const view = name || 'overview';
  const { can, username } = await request('/api/auth/me');
  if (!can.includes('administer')) {
    // This may be the session of a dashboard at the same origin, so it continues.
    showLogIn({ problem: NOT_ADMINISTRATOR });
    return;
  }
  document.querySelector('.user').textContent = allowsChanges ? username : `${username} (read-only)`;
  // The page of a job belongs to that of the jobs.
  const inHeader = view === 'job' ? 'jobs' : view;
  document.querySelector(`header [data-view=${inHeader}]`).setAttribute('aria-current', 'page');
  document.querySelector('header').hidden = false;
  showView(view);
  void import('./read-only.js');
  await import(`./${view}.js`);
}

async function logOut() {
  await request('/api/auth/logout', { method: 'POST' });
  location.assign(below('/ops/login'));
}
