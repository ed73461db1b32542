import { type Config, isInNetworks, type RateLimitName } from '@gateway/platform';

/**
 * A limit at an address: many times as high in a network whose users share addresses.
 * @param address an address, or the network that `addressOf` gives for an IPv6 address
 */
export function limitAt(limits: Config['rateLimits'], name: RateLimitName, address: string): number {
  const [ip = ''] = address.split('/');
  const shared = limits.sharedNetworks.filter(({ network }) => isInNetworks(ip, [network]));
  return limits[name] * Math.max(1, ...shared.map(({ factor }) => factor));
}
