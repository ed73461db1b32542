// What several views show of a job. Runs in the browser without a build step. Sets foreign texts as text
// only, never as HTML.
import { below, changeButton, element, request, whenConfirmed } from './page.js';

const QUESTIONS = {
  hold: 'No worker runs it until it is released. It keeps what it has made.',
  release: 'It continues where it stopped.',
  cancel: 'What it has made is removed.',
};

/** Leads to the page of the job. */
export function jobLink({ id, type }) {
  return [
    element('a', { href: below(`/ops/job?${new URLSearchParams({ id })}`) }, type),
    element('small', { className: 'id' }, id),
  ];
}

export function named(name, id) {
  return [name, element('small', { className: 'id' }, id ?? '')];
}

/** The message of a job that has failed is its error. */
export function causeText({ code, error, message }) {
  return [code, error === message ? null : error].filter((each) => each !== null).join(': ');
}

export function runsText({ faults, lost_runs, runs }) {
  const others = [
    [lost_runs, 'lost'],
    [faults, 'broken off'],
  ].filter(([count]) => count > 0);
  return [String(runs), ...others.map(([count, what]) => `${count} ${what}`)].join(', ');
}

/** The buttons of what the job allows, each of which shows the result. */
export function actionButtons({ allowed_actions, id, type }, shows) {
  return allowed_actions.map((action) => {
    const text = `${action[0].toUpperCase()}${action.slice(1)}`;
    const properties = { id: `${action}-${id}`, ariaLabel: `${text} ${type} ${id}` };
    const send = () => request(`/api/admin/jobs/${encodeURIComponent(id)}/${action}`, { method: 'POST' });
    const question = `${text} ${type} ${id}? ${QUESTIONS[action]}`;
    return changeButton(text, properties, () => whenConfirmed(question, send, shows));
  });
}
