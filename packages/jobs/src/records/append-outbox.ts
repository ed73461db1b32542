import { storedForms } from '@gateway/core';

/** Maximum number of entries while nobody reads them. The oldest are lost. */
const OUTBOX_LENGTH = 50_000;

const FIELDS = [
  'requestId',
  'projectId',
  'userId',
  'userName',
  'type',
  'status',
  'exclusive',
  'resourceId',
  'resourceName',
  'resourceType',
  'failure',
  'problem',
  'leftovers',
  'hold',
  'createdAt',
  'startedAt',
  'updatedAt',
];

/**
 * Lua for the scripts that end or hold a job: what has happened to it, for readers that must not miss it
 * (`readOutbox`). It has what they need of the record (`fields`), which may expire before they come.
 *
 * Reads the key `outbox` and the argument `job`.
 */
export const APPEND_OUTBOX = `
  local function appendOutbox(event, fields)
    local entry = { form = ${storedForms.outboxEntry.version}, event = event, job = job }
    for _, name in ipairs({ ${FIELDS.map((name) => `'${name}'`).join(', ')} }) do
      entry[name] = fields[name] or ''
    end
    redis.call('XADD', outbox, 'MAXLEN', '~', ${OUTBOX_LENGTH}, '*', 'entry', cjson.encode(entry))
  end`;
