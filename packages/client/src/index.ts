export type {
  ActionArguments,
  ActionInput,
  ActionName,
  ActionResource,
  ActionResult,
  ActionRow,
} from './actions.ts';
export {
  type Credentials,
  type FollowJobOptions,
  GatewayClient,
  type GatewayClientOptions,
  type LogIn,
  type SignOnOptions,
  type StartOptions,
  type WatchListOptions,
} from './gateway-client.ts';
export { GatewayError } from './gateway-error.ts';
export type * from './generated/types.gen.ts';
export { hasFailed, isLastEvent, type JobEvent, type JobEvents, type JobMessage } from './job-events.ts';
export { movingProgress } from './moving-progress.ts';
export { eachItem, eachRow, type Page, type RowsQuery } from './pages.ts';
export type { FollowOptions, Reconnect } from './reconnection.ts';
export type {
  AnyRequest,
  Endpoint,
  RequestInput,
  RequestOptions,
  ResponseBody,
  StreamEndpoint,
  StreamInput,
  StreamMessage,
} from './request-types.ts';
export type { ProjectChanges, Reset, ResourceChange, WatchedType, WatchOptions } from './watch.ts';
export type { WatchableList, WatchedList } from './watch-list.ts';
