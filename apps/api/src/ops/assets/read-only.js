// The banner of the read-only mode, and its switch. Runs in the browser without a build step. Sets foreign
// texts as text only, never as HTML.
import { allowsChanges, repeat, request, timeText, whenConfirmed } from './page.js';

const INTERVAL_MS = 10_000;
const MS_PER_HOUR = 3_600_000;
const PATH = '/api/admin/read-only-mode';

const banner = document.querySelector('#read-only');
const end = document.querySelector('#end-read-only');
end.hidden = !allowsChanges;
end.addEventListener('click', () => {
  const question = 'Accept changes again? All users can then change the cloud.';
  whenConfirmed(question, () => request(PATH, { method: 'DELETE' }), [showReadOnly]);
});
void repeat(showReadOnly, INTERVAL_MS);

async function showReadOnly() {
  const { is_read_only, reason, since, until, user_name } = await request(PATH);
  banner.hidden = !is_read_only;
  document.querySelector('#begin-read-only')?.toggleAttribute('hidden', is_read_only);
  if (!is_read_only) return;
  const by = user_name === null ? '' : ` by ${user_name}`;
  const ends = until === null ? 'until an administrator ends it' : `until ${timeText(until)}`;
  const text = `The gateway accepts no changes since ${timeText(since)}${by}, ${ends}.`;
  const shown = banner.querySelector('p');
  const full = reason === null ? text : `${text} Users read: ${reason}`;
  if (shown.textContent !== full) shown.textContent = full;
}

/** For the form of the overview. */
export function offerReadOnly(form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { hours, reason } = Object.fromEntries(new FormData(form));
    const until = hours === '' ? null : new Date(Date.now() + Number(hours) * MS_PER_HOUR);
    const body = { reason: reason.trim() || null, until };
    const question = 'Accept no changes? All users get the reason in place of a change.';
    whenConfirmed(question, () => request(PATH, { method: 'PUT', body }), [showReadOnly]);
  });
}
