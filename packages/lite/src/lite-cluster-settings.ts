import { GatewayError, trimEndChars } from '@gateway/core';
import type { Config } from '@gateway/platform';

/** The configuration that is required to create clusters. */
interface LiteClusterSettings {
  /** By id or name. */
  image: string;
  /** By id or name. */
  serverFlavor: string;
  /** URL of the api for machines in the cloud. */
  publicUrl: string;
}

/**
 * @throws 503 `lite_not_configured` if the configuration lacks a setting that clusters need
 */
export function liteClusterSettings({
  lite,
  publicEndpoint,
}: Pick<Config, 'lite' | 'publicEndpoint'>): LiteClusterSettings {
  const { image, serverFlavor } = lite;
  const { url: publicUrl } = publicEndpoint;
  if (image !== null && serverFlavor !== null && publicUrl !== null) {
    return { image, serverFlavor, publicUrl: trimEndChars(publicUrl, '/') };
  }
  const missing = missingLiteSettings({ lite, publicEndpoint });
  throw new GatewayError(
    503,
    'lite_not_configured',
    `Clusters cannot be created: the configuration of the gateway lacks ${missing.join(', ')}.`,
    { retryAfterSeconds: 3600 },
  );
}

/** The configuration keys without a value that clusters need. */
export function missingLiteSettings({
  lite,
  publicEndpoint,
}: Pick<Config, 'lite' | 'publicEndpoint'>): string[] {
  return [
    ...(lite.image === null ? ['lite.image'] : []),
    ...(lite.serverFlavor === null ? ['lite.server_flavor'] : []),
    ...(publicEndpoint.url === null ? ['public_endpoint.url'] : []),
  ];
}
