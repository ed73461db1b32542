import { join } from 'node:path';
import { CONFLICT_REASONS } from '@gateway/core';
import { ERROR_CODES } from '../../apps/api/src/http/schemas/error-codes.ts';
import { projectRoot } from '../server-process.ts';

const HEAD = `# Errors

Every code of an error, and what a dashboard does. \`npm run errors\` writes this page from the declarations.

Every error has a sentence in \`detail\` that can be shown to its user, a \`code\`, and a \`request_id\` that operators find in
the logs. A client decides by the code, and by the \`reason\` of a \`conflict\`; both lists only grow, so treat an unknown one as its
status says. The last event of a job that has failed has the sentence in \`error\`, and the same \`code\`, \`reason\` and \`params\`.

| field | when |
|---|---|
| \`errors\` | of invalid input: a list of \`field\`, such as \`body.name\`, and \`message\` |
| \`reason\` | of a \`conflict\` |
| \`params\` | the values of the sentence, for a dashboard with sentences of its own: \`quota\`, \`requested\`, \`in_use\` and \`limit\` of the first quota that is exceeded, as far as they are known; \`state\`; \`name\` |
| \`job_id\` | the job that continues, or with which the request is in conflict |
| \`upstream\` | the service that has refused or failed: \`service\`, its \`status\` and its \`request_id\`, each null if there is none |
| \`receipt\`, \`receipt_expires_at\`, \`missing_methods\` | of a log-in that is not complete |

429 and 503 have a \`Retry-After\` in seconds.
`;

/** The page of the documentation with all codes, which follows from their declarations. */
export const errorsPage = { path: join(projectRoot, 'docs/errors.md'), text: pageText() };

function pageText(): string {
  const codes = Object.entries(ERROR_CODES).map(
    ([code, [status, means, action]]) => `| ${status} | \`${code}\` | ${means} | ${action} |`,
  );
  const reasons = Object.entries(CONFLICT_REASONS).map(
    ([reason, { means, action }]) => `| \`${reason}\` | ${means} | ${action} |`,
  );
  return [
    HEAD,
    '## Codes\n',
    '| status | code | means | what a dashboard does |',
    '|---|---|---|---|',
    ...codes,
    '\n## Reasons of a `conflict`\n',
    '| reason | means | what a dashboard does |',
    '|---|---|---|',
    ...reasons,
    '',
  ].join('\n');
}
