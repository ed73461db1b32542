/** Sends the code of a single sign-on, which must not stay in the history of the browser. */
const code = new URLSearchParams(location.hash.slice(1)).get('code');
history.replaceState(null, '', location.pathname);
const form = document.querySelector('form');
form.elements.code.value = code ?? '';
form.submit();
