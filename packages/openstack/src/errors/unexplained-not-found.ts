import type { ServiceName } from '@gateway/platform';
import { asObject, parseObject } from './service-message.ts';

type Body = Record<string, unknown>;

/**
 * Whether a 404 does not come from the service's lookup of a resource: it is the page or the empty body of a
 * proxy, or the service's response to an unknown path. No resource may be treated as deleted because of it.
 *
 * Covers the responses of Zed and 2026.1. The network service's responses do not distinguish an unknown path
 * from a resource that the caller may not see. See decision 87.
 */
export function isUnexplainedNotFound(
  service: ServiceName,
  { status, text }: { status: number; text: string },
): boolean {
  if (status !== 404) return false;
  const body = parseObject(text);
  return body === null || !EXPLAINS[service](body);
}

const EXPLAINS: Record<ServiceName, (body: Body) => boolean> = {
  identity: ({ error }) => isText(asObject(error)?.message),
  compute: isItemNotFound,
  blockStorage: isItemNotFound,
  sharedFileSystem: isItemNotFound,
  network: ({ NeutronError }) => isText(NeutronError) || isText(asObject(NeutronError)?.message),
  loadBalancer: ({ faultstring }) => isText(faultstring),
  image: ({ message }) => isReason(message),
  containerInfra: hasDetail,
  container: hasDetail,
  placement: hasDetail,
  keyManager: ({ description }) => isText(description),
  orchestration: ({ error }) => isText(asObject(error)?.message),
};

function isItemNotFound({ itemNotFound }: Body): boolean {
  return isText(asObject(itemNotFound)?.message);
}

function hasDetail({ errors }: Body): boolean {
  return Array.isArray(errors) && isReason(asObject(errors[0])?.detail);
}

/** The response of these services' framework to an unknown path, without any text about a resource. */
const MISSING_PATH = /^\s*The resource could not be found\.(?:\s|<br \/>)*$/;

function isReason(value: unknown): boolean {
  return isText(value) && !MISSING_PATH.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
