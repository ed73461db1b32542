import { watchLeftOut } from '@gateway/openstack';
import { addLocals } from '../http/response/gateway-response.ts';
import { JobStream } from '../http/streams/event-streams.ts';
import { type AuthenticatedRequest, authenticate, type ReceivedRequest } from './authenticate-request.ts';
import { observeInPassing } from './observe-list.ts';
import { reportAnswer } from './report-end.ts';
import { validateAndRun } from './run-handler.ts';
import { selectPart } from './selected-part.ts';
import { sendResult, statusOf } from './send.ts';

/** Serves the result of a handler, which is not cached. */
export async function serveResult(received: ReceivedRequest): Promise<void> {
  const { app, endpoint, query } = received;
  const authenticated = await authenticate(received);
  const isWhole = Object.keys(query).length === 0;
  const onRead = isWhole ? await observeInPassing(app, endpoint.watched, authenticated.caller) : undefined;
  await runAndSend(authenticated, onRead);
}

/** Sends the result of the handler: of a list, the rows that the query selects. */
export async function runAndSend(
  received: AuthenticatedRequest,
  onRead: (rows: unknown) => void = () => {},
): Promise<void> {
  const { app, endpoint, response } = received;
  const {
    result: { input, result },
    leftOut,
  } = await watchLeftOut(() => validateAndRun(received));
  onRead(result);
  if (result instanceof JobStream) addLocals(response, { jobId: result.jobId });
  await reportAnswer(app, endpoint, response, statusOf(endpoint, result));
  if (leftOut) response.setHeader('X-Incomplete', 'true');
  const selection = endpoint.listRows?.selectionOf(input.query);
  const isWhole = selection == null || !Array.isArray(result);
  await sendResult(app, endpoint, response, isWhole ? result : selectPart(response, result, selection));
}
