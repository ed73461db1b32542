import { GatewayError, trimEndChars } from '@gateway/core';
import type { Config, LibraryDefinition } from '@gateway/platform';

/** The cloud resources of a library's builder, by id or by name. */
export interface BuildSettings {
  image: string;
  flavor: string;
  /** Null for the only network of the service user's project. */
  network: string | null;
  commands: string[];
  /** URL of the api, without a trailing slash. */
  publicUrl: string;
}

/**
 * The settings for building a library. Its own settings override those of `builds`.
 *
 * @throws 503 naming the missing configuration keys
 */
export function buildSettings(
  config: Pick<Config, 'builds' | 'publicEndpoint'>,
  library: LibraryDefinition,
): BuildSettings {
  const { builds, publicEndpoint } = config;
  const { build } = library;
  const image = build.image ?? builds.image;
  const flavor = build.flavor ?? builds.flavor;
  const { url: publicUrl } = publicEndpoint;
  if (image === null || flavor === null || publicUrl === null) {
    const missing = missingBuildSettings(config, library);
    throw new GatewayError(
      503,
      'builds_not_configured',
      `Libraries cannot be built here: the configuration does not define ${missing.join(', ')}.`,
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

/** The configuration keys without a value that building the library needs. */
export function missingBuildSettings(
  { builds, publicEndpoint }: Pick<Config, 'builds' | 'publicEndpoint'>,
  { build }: LibraryDefinition,
): string[] {
  return [
    ...((build.image ?? builds.image) === null ? ['builds.image'] : []),
    ...((build.flavor ?? builds.flavor) === null ? ['builds.flavor'] : []),
    ...(publicEndpoint.url === null ? ['public_endpoint.url'] : []),
  ];
}
