/**
 * The codes of all errors, in responses and in the last events of jobs: the status, a text that a client can
 * show to its user, and what a dashboard does. docs/errors.md is written from this table.
 */
export const ERROR_CODES = {
  invalid_input: [
    400,
    'The request is not valid; `errors` names the fields, if there are several.',
    'Show each `message` at its `field`, and `detail` above the form.',
  ],
  no_external_network: [
    400,
    'No router leads to an external network.',
    'Lead to the routers of the project: one needs a gateway, and an interface in the subnet.',
  ],
  network_required: [
    400,
    'The project has no network, or several, so the request has to name one.',
    'Show the field of the network, with `GET /api/networks`.',
  ],
  cluster_not_active: [
    400,
    'The cluster is not ACTIVE.',
    'Read the row again, and wait until its `allowed_actions` name the action.',
  ],
  upstream_refused: [
    400,
    'A cloud service has refused the request. The status is its own.',
    'Show `detail`, which has the words of the service.',
  ],
  unauthorized: [
    401,
    'The token is missing, invalid or expired, or the log-in is wrong.',
    'Ask for a new log-in, and lead back to the page.',
  ],
  wrong_password: [
    401,
    'The current password is wrong. The session continues.',
    'Ask for the current password again.',
  ],
  totp_required: [
    401,
    'The password is right, and a one-time passcode is required as well: send it with `receipt` in a second log-in.',
    'Ask for the passcode. Keep `receipt` in memory only.',
  ],
  wrong_passcode: [
    401,
    'The passcode is wrong or has been used. The receipt can be used again until it expires.',
    'Ask for the next passcode.',
  ],
  invalid_receipt: [
    401,
    'The receipt of a log-in is unknown or has expired: the password is needed again.',
    'Begin the log-in again.',
  ],
  password_expired: [
    401,
    'The password is right, but has expired: `PUT /api/auth/expired-password` changes it.',
    'Ask for a new password, change it, and log in with it.',
  ],
  invalid_sign_on: [
    401,
    'The single sign-on is unknown, has been used or has expired, or another page or browser began it.',
    'Begin the single sign-on again.',
  ],
  session_expired: [401, 'The session has ended.', 'Ask for a new log-in, and lead back to the page.'],
  invalid_ticket: [
    401,
    'The ticket is unknown, has been used or has expired.',
    'Ask for another ticket, and connect again with the id of the last event.',
  ],
  token_expired: [
    401,
    'The token expired or was revoked before the job ended, and the job had no delegation with which to continue.',
    'Offer to send the request again, after a log-in.',
  ],
  forbidden: [
    403,
    'The role or a policy does not allow this.',
    'Show `detail`. Offer the action only to who can do it: `can` in `GET /api/auth/me`, `allowed_actions` in rows.',
  ],
  delegation_lost: [
    403,
    'The user who requested the job has lost the account or the role before the job ended.',
    'Show `detail`. Another member can send the request again.',
  ],
  auth_method_unsupported: [
    403,
    'The identity service requires a method for this log-in that the gateway does not offer, or does not accept an application credential.',
    'Show `detail`. An administrator of the cloud has to change the account.',
  ],
  csrf_refused: [
    403,
    'A request with a session cookie did not come from a page of the same origin, or a change lacks `X-Gateway-CSRF`.',
    'A fault of the dashboard: send the header with every change.',
  ],
  no_project: [
    403,
    'The user has no project.',
    'Say that an administrator has to add the user to a project.',
  ],
  not_found: [
    404,
    'The resource does not exist or belongs to another project.',
    'Remove the row, or show that it is gone.',
  ],
  route_not_found: [
    404,
    'There is nothing at this address.',
    'A fault of the dashboard, or an older gateway: compare with `/api/openapi.json`.',
  ],
  service_disabled: [
    404,
    'The service is switched off, or the cloud does not have it.',
    'Hide the part of the dashboard. `GET /api/site-config` says it before.',
  ],
  method_not_allowed: [
    405,
    'The address does not take this method; `Allow` names those that it takes.',
    'A fault of the dashboard.',
  ],
  request_timeout: [408, 'The request did not arrive in time.', 'Send it again.'],
  conflict: [
    409,
    'The state of the resource does not allow this.',
    'What its `reason` needs: see the next table.',
  ],
  immutable: [
    409,
    'The load balancer stays busy with another change, or cannot be changed. The request had no effect.',
    'Read the row again, and offer to send the request again when `status` is ACTIVE.',
  ],
  quota_exceeded: [
    409,
    'A quota of the project would be exceeded.',
    'Show `params`: `requested` of `quota` beside the `in_use` of `limit`. They have to free some, or ask for more.',
  ],
  dependency_not_prebuilt: [
    409,
    'The library depends on libraries that have to be built first.',
    'Show `detail`, which names them, and offer to build them.',
  ],
  cancelled: [409, 'The job was cancelled, and rolled back.', 'Show it as cancelled, not as failed.'],
  not_a_leftover: [
    409,
    'Something living has the resource, or it does not bear the mark of the gateway.',
    'Read the leftovers again.',
  ],
  leftover_in_doubt: [
    409,
    'There is a doubt about the resource: `force` removes it nevertheless.',
    'Show `detail` as a question, and send the request again with `force`.',
  ],
  node_not_dead: [
    409,
    'The node of the cluster is ready, or its state is not known: `force` replaces it nevertheless.',
    'Show `detail` as a question, and send the request again with `force`.',
  ],
  plugin_missing: [
    409,
    'The cluster was created without the plugin that this needs.',
    'Hide the action for this cluster: `plugins` of its row has the others.',
  ],
  no_valid_host: [
    409,
    'The cloud has no room for the instance.',
    'Offer another flavor or availability zone, or to try again later.',
  ],
  share_access_conflict: [
    409,
    'The share of a library cannot be mounted by another instance.',
    'Show `detail`. An administrator of the cloud has to look.',
  ],
  idempotency_mismatch: [
    409,
    'The `Idempotency-Key` was used before with another body, or with a sealing key that the gateway no longer has.',
    'A fault of the dashboard: use a new key for each request that a person makes.',
  ],
  idempotency_in_progress: [
    409,
    'A request with this `Idempotency-Key` is still in progress.',
    'Send it again after `Retry-After`.',
  ],
  body_too_large: [413, 'The body is too large.', 'Show `detail` at the field that holds a file.'],
  unsupported_media_type: [
    415,
    'The body is not JSON.',
    'A fault of the dashboard: send `Content-Type: application/json`.',
  ],
  rate_limited: [
    429,
    'Too many requests, streams or waiting jobs. `Retry-After` says how long to wait.',
    'Wait as long as `Retry-After` says, and send the request again.',
  ],
  headers_too_large: [
    431,
    'The headers of the request are too large.',
    'Usually cookies of other pages at the same host: ask to delete them.',
  ],
  internal_error: [
    500,
    'The gateway has failed. The `request_id` leads to the reason in its logs.',
    'Show `request_id`, for the operator.',
  ],
  floating_ip_failed: [500, 'The floating IP could not be allocated.', 'Show it, and offer to try again.'],
  upstream_error: [
    502,
    'A cloud service answered with an error.',
    'Show it with `upstream.service` and `request_id`, and offer to try again.',
  ],
  instance_failed: [
    502,
    'The instance could not be started.',
    'Show `detail`, which has the reason of the cloud.',
  ],
  build_failed: [502, 'The library could not be built.', 'Show `detail`, which names the stage.'],
  build_timeout: [
    502,
    'The machine that builds the library did not report in time.',
    'Show `detail`, and offer to build again.',
  ],
  verification_failed: [502, 'The library could not be verified.', 'Show `detail`, which names the stage.'],
  verification_timeout: [
    502,
    'The machine that verifies the library did not report in time.',
    'Show `detail`, and offer to verify again.',
  ],
  lite_install_failed: [
    502,
    'The control node of the cluster could not be set up.',
    'Show `detail`, and offer to create the cluster again.',
  ],
  lite_callback_timeout: [
    502,
    'The control node of the cluster did not report in time.',
    'Show `detail`. Usually its network does not reach the gateway.',
  ],
  lite_nodes_not_ready: [
    502,
    'The new nodes of the cluster did not become ready.',
    'Show `detail`, and offer to try again.',
  ],
  lite_plugins_not_available: [
    502,
    'The programs of the plugins did not become available with the new credential.',
    'Show `detail`. The cluster keeps its former credential.',
  ],
  lite_upgrade_failed: [
    502,
    'The upgrade of the cluster has stopped.',
    'Show `detail`. The same request continues the upgrade.',
  ],
  upstream_unavailable: [
    503,
    'A cloud service is not available.',
    'Say that `upstream.service` is unavailable, keep what was read before, and try again after `Retry-After`.',
  ],
  upstream_busy: [
    503,
    'Too many requests to a cloud service are in progress. `Retry-After` says how long to wait.',
    'Send the request again after `Retry-After`.',
  ],
  read_only: [
    503,
    'The gateway accepts no changes, because of maintenance.',
    'Show `detail`, which has the reason, and a banner while `read_only` in `GET /api/health` is not null. Do not repeat the request by itself.',
  ],
  store_unavailable: [
    503,
    'The store of the gateway is not available.',
    'Send the request again after `Retry-After`.',
  ],
  interrupted_by_restore: [
    503,
    'The data of the gateway were restored from an older copy while the job ran.',
    'Show `detail`: the result has to be checked before the request is sent again.',
  ],
  sealing_key_missing: [
    503,
    'The gateway lacks the key that decrypts a stored secret.',
    'Show `detail`, for the operator.',
  ],
  delegation_not_configured: [
    503,
    'The gateway is not configured to work for the caller later.',
    'Show `detail`, for the operator. Hide the action on this site.',
  ],
  service_user_missing: [
    503,
    'The gateway has no service user, which this needs.',
    'Show `detail`, for the operator. Hide the action on this site.',
  ],
  builds_not_configured: [
    503,
    'The gateway is not configured to build libraries.',
    'Show `detail`, for the operator. Hide the action on this site.',
  ],
  lite_not_configured: [
    503,
    'The gateway is not configured to create clusters.',
    'Show `detail`, for the operator. Hide the action on this site.',
  ],
  plugin_unavailable: [
    503,
    'The cloud lacks a service that a plugin of the cluster needs.',
    'Show `detail`, for the operator.',
  ],
  upstream_timeout: [
    504,
    'A cloud service did not answer in time.',
    'Of a read: send it again. Of a write: read the list first, because it may have taken effect.',
  ],
  timeout: [
    504,
    'The job is still in progress, and continues: `job_id` names it.',
    'Follow the job: `GET /api/jobs/{job_id}/events`.',
  ],
} as const satisfies Record<string, readonly [status: number, description: string, action: string]>;

export type ErrorCode = keyof typeof ERROR_CODES;
