import { listOf, part, text } from '@gateway/core/shapes';

/** In a response, as the service says it. */
export function shownRoutes() {
  return listOf(part({ destination: text('10.1.0.0/16'), nexthop: text('10.0.0.254') }), []);
}

/** In a response, as the service says it. */
export function shownRanges() {
  return listOf(part({ start: text('10.0.0.10'), end: text('10.0.0.199') }));
}
