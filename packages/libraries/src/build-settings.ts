import type { Config, LibraryDefinition } from '@gateway/config';
import { GatewayError, trimEndChars } from '@gateway/core';

/** What a library's builder is made of, by ids or names. */
export interface BuildSettings {
  image: string;
  flavor: string;
  /** Null for the only network there is. */
  network: string | null;
  commands: string[];
  /** Where the api is reached, without a slash at the end. */
  publicUrl: string;
}

/**
 * How a library is built here: as it says itself, else as all are.
 *
 * @throws 503 naming the keys that nobody has configured
 */
export function buildSettings(
  { builds, http }: Pick<Config, 'builds' | 'http'>,
  { build }: LibraryDefinition,
): BuildSettings {
  const image = build.image ?? builds.image;
  const flavor = build.flavor ?? builds.flavor;
  const { publicUrl } = http;
  if (image === null || flavor === null || publicUrl === null) {
    const missing = [
      ...(image === null ? ['builds.image'] : []),
      ...(flavor === null ? ['builds.flavor'] : []),
      ...(publicUrl === null ? ['http.public_url'] : []),
    ];
    throw new GatewayError(
      503,
      'builds_not_configured',
      `Libraries can not be built here: the configuration does not say ${missing.join(', ')}.`,
    );
  }
  return {
    image,
    flavor,
    network: build.network ?? builds.network,
    commands: build.commands,
    publicUrl: trimEndChars(publicUrl, '/'),
  };
}
