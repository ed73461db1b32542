import type { IncomingMessage } from 'node:http';
import type { CadfEvent } from '@gateway/activity';
import { post } from '@gateway/webhooks';
import type { AuditReceiver } from './receiver.ts';

interface HttpReceiverOptions {
  /** Sent as `Authorization: Bearer`; null for none. */
  token: string | null;
  /** The certificate authority in PEM, if it is none of the system. */
  ca?: string | undefined;
}

const TIMEOUT_MS = 10_000;
/** How much of a refusal the log shows. */
const MAX_REASON_LENGTH = 200;

/** Posts the events as one list in JSON. Any status from 200 to 299 says that the receiver has them. */
export class HttpReceiver implements AuditReceiver {
  readonly #url: URL;
  readonly #options: HttpReceiverOptions;

  constructor(url: URL, options: HttpReceiverOptions) {
    this.#url = url;
    this.#options = options;
  }

  async send(events: readonly CadfEvent[]): Promise<void> {
    const { ca, token } = this.#options;
    const headers = {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await post(this.#url, { headers, body: JSON.stringify(events) }, { signal, ca });
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299)
      throw new Error(`The receiver answers ${statusCode}: ${await beginningOf(response)}`);
    response.destroy();
  }
}

/** Reads no more than is shown: whoever answers may send without end. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length >= MAX_REASON_LENGTH) break;
    }
  } catch {
    // The status says more than the end of the connection.
  }
  return text.slice(0, MAX_REASON_LENGTH);
}
