import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersion, MICROVERSIONS, serviceNames, serviceTitles, serviceTypes } from '@gateway/openstack';
import { root } from '../../support/source/workspaces.ts';

describe('the versions that the gateway needs of each service', () => {
  it('are those in the table of docs/operations.md', () => {
    const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const [, table = ''] = /\| service \| type in the catalog.*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(text) ?? [];

    const rows = serviceNames.map((service) => {
      const types = serviceTypes(service).map((type) => `\`${type}\``);
      const { oldest, reason = '', version = '' } = MICROVERSIONS[service] ?? {};
      const microversions = oldest === undefined ? version : `${oldest} to ${version}`;
      const cells = [serviceTitles[service], types.join(', '), apiVersion(service), microversions, reason];
      return `| ${cells.join(' | ')} |`.replaceAll('  ', ' ');
    });

    assert.deepEqual(table.trimEnd().split('\n'), rows);
  });
});
