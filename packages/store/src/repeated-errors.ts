import { SentinelConnector } from 'ioredis';
import standalone from 'ioredis/built/connectors/StandaloneConnector.js';

/**
 * Makes connections survive a second error of their socket. ioredis listens to the first one only, and an
 * error without a listener ends the process. With TLS, a write can fail before the alert of the server
 * arrives: see https://github.com/redis/ioredis/pull/961.
 */
export function surviveRepeatedErrors(): void {
  for (const { prototype } of [standalone.default, SentinelConnector]) {
    const { connect } = prototype;
    prototype.connect = async function (...options) {
      const stream = await connect.apply(this, options);
      return stream.on('error', () => {});
    };
  }
}
