import { createServer } from 'node:http';
import { listenLocally, stopListening } from '../support/doubles/local-server.ts';
import { type PythonPackage, wheelName, wheelOf } from './wheel.ts';

/** The port of the index for machines. */
const GUEST_PORT = 3141;

export interface PackageIndex {
  /** Option of `boot` that makes the index reachable for the machine. */
  bootOption: string[];
  /** Lines of the configuration of pip. */
  pipConfig: string[];
  stop(): Promise<void>;
}

/** A package index (PEP 503) with these packages, on this machine's loopback. */
export async function startPackageIndex(packages: PythonPackage[]): Promise<PackageIndex> {
  const pages = new Map<string, string>();
  const wheels = new Map<string, Buffer>();
  for (const each of packages) {
    const file = wheelName(each);
    wheels.set(`/wheels/${file}`, wheelOf(each));
    const page = `/simple/${each.name}/`;
    pages.set(page, `${pages.get(page) ?? '<!DOCTYPE html>'}<a href="/wheels/${file}">${file}</a>`);
  }
  const server = createServer(({ url = '' }, response) => {
    const page = pages.get(url);
    const body = page ?? wheels.get(url);
    const type = page === undefined ? 'application/octet-stream' : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  return {
    bootOption: ['--forward', `${GUEST_PORT}:${await listenLocally(server)}`],
    pipConfig: ['[global]', `index-url = http://10.0.2.2:${GUEST_PORT}/simple/`, 'trusted-host = 10.0.2.2'],
    stop: () => stopListening(server),
  };
}
