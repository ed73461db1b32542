import type { ReplyOptions } from '../doubles/upstream.ts';
import type { FakeCloud } from './fake-cloud.ts';

/**
 * The calls to one service, written as `GET /volumes/x`: the method, and the path below the service's root.
 */
interface ServiceCalls {
  /** Declares a call, such as `answers(cloud, 'GET /volumes/x', { volume })`. */
  answers(cloud: FakeCloud, call: string, body?: unknown, options?: ReplyOptions): void;
  /** The calls received. */
  calls(cloud: FakeCloud): string[];
}

/** @param fixture any of the service's, which has its address */
export function serviceCalls(fixture: string, root: string): ServiceCalls {
  return {
    answers(cloud, call, body = '', options = {}) {
      const [method = '', path = ''] = call.split(' ');
      cloud.reply(fixture, { method, path: root + path, status: 200, body, ...options });
    },
    calls: (cloud) =>
      cloud
        .calls()
        .filter((call) => call.includes(` ${root}`))
        .map((call) => call.replace(root, '')),
  };
}
