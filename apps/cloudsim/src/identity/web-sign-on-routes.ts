import { badRequest, notFound, ServiceError } from '../common/service-error.ts';
import { type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { IDENTITY_PROVIDER, PROTOCOL, signOn } from './federation.ts';

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

/** In a real cloud, a module of the web server sends the browser to the identity provider and back. */
function askForPerson(): Reply {
  const page = `<!DOCTYPE html>
<html lang="en">
  <head><meta charset="utf-8"><title>Simulated identity provider</title><link rel="icon" href="data:,"></head>
  <body>
    <form id="person" method="post">
      <label>Who are you? <input name="sub" autofocus></label>
      <button>Continue</button>
    </form>
  </body>
</html>
`;
  return ok(page, HTML);
}

/** Has the browser send the token to the dashboard, with the page of the real service. */
function sendToken(call: IdentityCall): Reply {
  const { idp = IDENTITY_PROVIDER, protocol } = call.params;
  if (idp !== IDENTITY_PROVIDER) throw notFound(`Could not find Identity Provider: ${idp}.`);
  if (protocol !== PROTOCOL) throw new ServiceError(401, 'Missing entity ID from environment');
  const host = trustedHost(call);
  const person = new URLSearchParams(call.rawBody).get('sub') ?? '';
  const token = signOn(call.cloud, person);
  const page = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Keystone WebSSO redirect</title>
  </head>
  <body>
     <form id="sso" name="sso" action="${host}" method="post">
       Please wait...
       <br>
       <input type="hidden" name="token" id="token" value="${token.id}">
       <noscript>
         <input type="submit" name="submit_no_javascript" id="submit_no_javascript"
            value="If your JavaScript is disabled, please click to continue">
       </noscript>
     </form>
     <script>
       window.onload = function() {
         document.forms['sso'].submit();
       }
     </script>
  </body>
</html>
`;
  return ok(page, HTML);
}

function trustedHost({ cloud, query }: IdentityCall): string {
  const host = query.get('origin');
  if (!host) throw badRequest('Request must have an origin query parameter');
  if (!cloud.settings.trustedDashboards.includes(host))
    throw new ServiceError(401, `${host} is not a trusted dashboard host`);
  return host;
}

const PATHS = [
  '/auth/OS-FEDERATION/websso/:protocol',
  '/auth/OS-FEDERATION/identity_providers/:idp/protocols/:protocol/websso',
];

export const webSignOnOperations: Operation<IdentityCloud>[] = PATHS.flatMap((path) => [
  operation<IdentityCloud>('websso.ask', `GET ${path}`, askForPerson, { isPublic: true }),
  operation<IdentityCloud>('websso.send_token', `POST ${path}`, sendToken, {
    isPublic: true,
    hasRawBody: true,
  }),
]);
