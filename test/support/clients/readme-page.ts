/** What the examples in the README of the client take from the page in which they stand. */
const page = `
import { eachItem, eachRow, GatewayClient, GatewayError, movingProgress } from '@gateway/client';
import type { Image, Instance, LiteCluster, LoadBalancer, Reconnect, RequestInput, Volume } from '@gateway/client';

declare const gateway: GatewayClient;
declare const id: string, jobId: string, password: string, projectId: string, token: string, url: string, username: string;
declare const cluster: LiteCluster, image: Image, instance: Instance, loadBalancer: LoadBalancer, volume: Volume;
declare const body: RequestInput<'POST /api/volumes'>['body'];
declare const lastEventId: number;
declare const router: { push(address: string): void };
declare const signal: AbortSignal;
declare function askForPasscode(): Promise<string>;

type Page = (...given: any[]) => any;
declare const addButton: Page, askAgain: Page, askForAnotherName: Page, askForNewPassword: Page, drawBar: Page;
declare const hideOffline: Page, highlight: Page, markField: Page, offerMoreQuota: Page, readAgain: Page, save: Page;
declare const show: Page, showOffline: Page, showProblem: Page, showWaiting: Page, toLogIn: Page;
`;

/** The examples of a README but the first one, each in a function of a page. */
export function pageWith(readme: string): string {
  const [, ...examples] = readme.matchAll(/```[jt]s\n(.*?)```/gs);
  const functions = examples.map(
    ([, text], index) => `export async function example${index}() {\n${text}}\n`,
  );
  return page + functions.join('');
}
