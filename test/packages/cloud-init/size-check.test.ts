import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { checkBuilderSize, checkFirstBootSize } from '@gateway/cloud-init';
import { GatewayError } from '@gateway/core';
import { builder } from './plan.ts';

const readOnly = { packages: [], readOnly: true };

describe('checkFirstBootSize', () => {
  it('lets a plain instance and a hundred layers pass', () => {
    checkFirstBootSize([]);
    checkFirstBootSize(Array.from({ length: 100 }, () => readOnly));
  });

  it('refuses more layers than any first-boot data could hold, as the caller’s to change', () => {
    assert.throws(
      () => checkFirstBootSize(Array.from({ length: 1000 }, () => readOnly)),
      (error) => error instanceof GatewayError && error.status === 400,
    );
  });

  it('counts the driver packages of an instance without layers', () => {
    const driverPackages = Array.from({ length: 2000 }, () => randomBytes(24).toString('hex'));

    assert.throws(() => checkFirstBootSize([], { driverPackages }), GatewayError);
  });

  it('counts the packages that are to be installed', () => {
    const packages = Array.from({ length: 2000 }, () => randomBytes(24).toString('hex'));

    assert.throws(() => checkFirstBootSize([{ packages, readOnly: false }]), GatewayError);
  });
});

describe('checkBuilderSize', () => {
  it('lets a usual library pass', () => {
    checkBuilderSize(builder({ packages: ['numpy==2.1'], commands: ['true\n'.repeat(200)] }));
  });

  it('refuses commands that no first-boot data could hold', () => {
    const commands = [randomBytes(60_000).toString('base64')];

    assert.throws(
      () => checkBuilderSize(builder({ commands })),
      (error) => error instanceof GatewayError && error.status === 400,
    );
  });
});
