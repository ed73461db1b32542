import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

interface Visit {
  form?: Record<string, string>;
  /** The origin of the page that sends the form. */
  origin?: string;
}

const MAX_REDIRECTS = 10;

/**
 * The part of a browser that a single sign-on needs: cookies of one host name, forms, and redirects. Does not
 * use `fetch`, whose requests web servers distinguish from those of a browser by `Sec-Fetch-Mode`.
 */
export class TestBrowser {
  readonly #cookies = new Map<string, string>();
  /** The addresses of all requests. */
  readonly addresses: string[] = [];

  /** Follows redirects. */
  async visit(url: string, form?: Record<string, string>): Promise<Page> {
    let page = await this.send(url, { form });
    for (let count = 0; page.status >= 300 && page.status < 400 && count < MAX_REDIRECTS; count += 1) {
      page = await this.send(new URL(page.headers.get('location') ?? '', page.url).href);
    }
    return page;
  }

  /**
   * Begins at the gateway, says to the identity provider who is there, and returns to the gateway.
   * @returns the gateway's response, and the token that the identity service has sent
   */
  async signOn(beginning: string, person: string): Promise<{ returned: Page; token: string }> {
    const question = await this.visit(beginning);
    const answer = await this.visit(question.url, { sub: person });
    const action = unescapeHtml(/action="([^"]*)"/.exec(answer.text)?.[1] ?? '');
    const token = unescapeHtml(/name="token"[^>]* value="([^"]*)"/.exec(answer.text)?.[1] ?? '');
    if (token === '')
      throw new Error(`${answer.url} answered ${answer.status}: ${answer.text.slice(0, 400)}`);
    const { origin } = new URL(answer.url);
    return { token, returned: await this.send(action, { form: { token }, origin }) };
  }

  async send(url: string, { form, origin }: Visit = {}): Promise<Page> {
    this.addresses.push(url);
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form && String(new URLSearchParams(form));
    const request = httpRequest(url, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(origin && { origin }),
        ...(body !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        }),
      },
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (const line of response.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/; max-age=0/i.test(line)) this.#cookies.delete(pair.slice(0, at));
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const headers = new Headers(response.headers.location ? { location: response.headers.location } : {});
    return { url, status: response.statusCode ?? 0, headers, text: await textOf(response) };
  }
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#34;', '"');
}
