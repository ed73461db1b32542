// The log-in of a client of the api, which never sees a token: it is in a cookie that scripts cannot read.
import { attempt, element, returnToPage, send, showView } from './page.js';
import { beginSignOn, takeReturnedSignOn } from './sign-on.js';

export const NOT_ADMINISTRATOR =
  'This page is for administrators. You do not have their role in this project.';
/** Refusals of a passcode after which the receipt is still valid. */
const RECEIPT_STAYS_VALID = ['wrong_passcode', 'invalid_input', 'rate_limited'];

/**
 * Asks for a user name and password.
 * @param typed what was typed before
 */
export function showLogIn({ notice = '', problem, typed = {} } = {}) {
  const form = showForm('log-in', typed, logIn);
  form.parentElement.querySelector('#notice').textContent = notice;
  void attempt(async function showProviders() {
    const providers = await send('/api/auth/providers');
    const buttons = providers.map(({ id, name }) => {
      const button = element('button', { type: 'button', className: 'provider' }, `Log in with ${name}`);
      button.addEventListener('click', () => submit(() => beginSignOn(id)));
      return button;
    });
    document.querySelector('#providers')?.replaceChildren(...buttons);
  });
  if (problem !== undefined)
    void submit(() => {
      throw new Error(problem);
    });
}

/** Logs in with what a single sign-on has returned. */
export function returnFromSignOn() {
  const returned = takeReturnedSignOn();
  showLogIn();
  if (returned !== null) void submit(() => enter('/api/auth/exchange', returned));
}

async function logIn(typed) {
  try {
    await enter('/api/auth/login', typed);
  } catch (error) {
    if (error.code === 'totp_required') showPasscode(error.receipt);
    else if (error.code === 'password_expired') showExpiredPassword(typed);
    else throw error;
  }
}

/** The second step. The receipt is in no address. */
function showPasscode(receipt) {
  showForm('passcode', {}, async (typed) => {
    try {
      await enter('/api/auth/login', { ...typed, receipt });
    } catch (error) {
      if (!RECEIPT_STAYS_VALID.includes(error.code)) showLogIn();
      throw error;
    }
  });
}

function showExpiredPassword({ user_domain, username }) {
  showForm('expired-password', { user_domain, username }, async ({ repeated_password, ...typed }) => {
    if (typed.new_password !== repeated_password) throw new Error('The new passwords differ.');
    await send('/api/auth/expired-password', { method: 'PUT', body: typed });
    const notice = 'The password has been changed. Please log in with the new one.';
    showLogIn({ notice, typed: { username: typed.username, user_domain: typed.user_domain } });
  });
}

/** Begins a session in a cookie. Ends it if the user is not an administrator. */
async function enter(path, body) {
  const { is_admin } = await send(path, { method: 'POST', body: { ...body, use_cookie: true } });
  if (is_admin) {
    returnToPage();
    return;
  }
  await send('/api/auth/logout', { method: 'POST' });
  throw new Error(NOT_ADMINISTRATOR);
}

/** Shows a form, which stays with its names, but without its secrets, if `action` throws. */
function showForm(view, typed, action) {
  const form = showView(view, 'log-in').querySelector('form');
  const fields = [...form.elements];
  for (const [name, text] of Object.entries(typed)) if (text) form.elements[name].value = text;
  const focus = () => fields.find(({ required, value }) => required && value === '')?.focus();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const filled = [...new FormData(form)].filter(([, text]) => text !== '');
    const button = form.querySelector('button');
    button.disabled = true;
    void submit(() => action(Object.fromEntries(filled))).then((isDone) => {
      button.disabled = false;
      if (isDone) return;
      for (const field of fields) if (field.matches('[type=password], [name=passcode]')) field.value = '';
      focus();
    });
  });
  focus();
  return form;
}

/** Shows an error until the next action of the log-in. @returns whether the action has succeeded */
function submit(action) {
  return attempt(async function logIn() {
    await action();
  });
}
