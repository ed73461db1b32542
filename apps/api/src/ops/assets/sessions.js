// Runs in the browser without a build step. Sets foreign texts as text only, never as HTML.
import { attempt, changeButton, main, repeat, request, show, timeText, whenConfirmed } from './page.js';

const INTERVAL_MS = 30_000;
const PATH = '/api/auth/sessions';

const endOthers = document.querySelector('#end-others');
endOthers.addEventListener('click', () => end('End all your other sessions?', PATH));

await attempt(showSessions);
main.dataset.ready = 'true';
void repeat(showSessions, INTERVAL_MS);

async function showSessions() {
  const sessions = await request(PATH);
  endOthers.hidden = sessions.every(({ is_current }) => is_current);
  show('sessions', String(sessions.length), sessions, 'There is none.', (session) => [
    [session.client],
    [session.address],
    ...[session.started_at, session.last_seen_at, session.expires_at].map((time) => [timeText(time)]),
    [session.is_current ? 'this session' : endButton(session)],
  ]);
}

function endButton({ address, client, id }) {
  const properties = { id: `end-${id}`, ariaLabel: `End the session of ${client} at ${address}` };
  return changeButton('End', properties, () => end(`End the session of ${client}?`, `${PATH}/${id}`));
}

function end(question, path) {
  whenConfirmed(question, () => request(path, { method: 'DELETE' }), [showSessions]);
}
