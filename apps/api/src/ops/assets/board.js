// Runs in the browser, as it is. Adds what the board of queues leaves out for screen readers.

/** By the icons of buttons without a text. */
const NAMES = {
  'circle-user': 'Pages',
  copy: 'Copy',
  'corner-up-left': 'Run at once',
  'ellipsis-vertical': 'Actions',
  maximize: 'Full screen',
  minimize: 'Leave full screen',
  settings: 'Settings',
};
/** Changes of many jobs at once, which are refused. One job alone can be promoted, with the same icon. */
const REFUSED = ['Promote all'];

new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
complete();

function complete() {
  for (const button of document.querySelectorAll('button')) {
    if (REFUSED.includes(button.textContent.trim())) button.dataset.refused = 'true';
    if (button.textContent.trim() !== '' || button.hasAttribute('aria-label')) continue;
    const name = Object.keys(NAMES).find((icon) => button.querySelector(`.lucide-${icon}`) !== null);
    if (name !== undefined) button.setAttribute('aria-label', NAMES[name]);
  }
}
