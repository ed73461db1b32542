import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { checkBuilderSize, checkFirstBootSize } from '@gateway/cloud-init';
import { GatewayError } from '@gateway/core';
import { checkControlNodeSize } from '@gateway/lite';
import { builder, controlNode } from './plan.ts';

const readOnly = { packages: [], interpreters: [], readOnly: true };

describe('checkFirstBootSize', () => {
  it('accepts a plain instance and a hundred layers', () => {
    checkFirstBootSize([]);
    checkFirstBootSize(Array.from({ length: 100 }, () => readOnly));
  });

  it('refuses more layers than fit into first-boot data with 400', () => {
    assert.throws(
      () => checkFirstBootSize(Array.from({ length: 1000 }, () => readOnly)),
      (error) => error instanceof GatewayError && error.status === 400,
    );
  });

  it('counts the driver packages of an instance without layers', () => {
    const driverPackages = Array.from({ length: 2000 }, () => randomBytes(24).toString('hex'));

    assert.throws(() => checkFirstBootSize([], { driverPackages }), GatewayError);
  });

  it('counts the packages to install', () => {
    const packages = Array.from({ length: 2000 }, () => randomBytes(24).toString('hex'));

    assert.throws(() => checkFirstBootSize([{ packages, interpreters: [], readOnly: false }]), GatewayError);
  });
});

describe('checkBuilderSize', () => {
  it('accepts a usual library', () => {
    checkBuilderSize(builder({ packages: ['numpy==2.1'], commands: ['true\n'.repeat(200)] }));
  });

  it('counts the constraints', () => {
    const constraints = Array.from({ length: 2000 }, () => `${randomBytes(24).toString('hex')}==1`);

    assert.throws(() => checkBuilderSize(builder({ constraints })), GatewayError);
  });

  it('refuses commands that do not fit into first-boot data', () => {
    const commands = [randomBytes(60_000).toString('base64')];

    assert.throws(
      () => checkBuilderSize(builder({ commands })),
      (error) => error instanceof GatewayError && error.status === 400,
    );
  });
});

describe('checkControlNodeSize', () => {
  const manifest = (lines: number) => ({
    key: 'block_csi',
    workloads: [],
    manifests: Array.from(
      { length: lines },
      (_, line) => `name${line}: ${randomBytes(24).toString('hex')}\n`,
    ).join(''),
  });

  it('accepts plugins of usual sizes', () => {
    checkControlNodeSize(controlNode({ plugins: [manifest(300), { ...manifest(200), key: 'file_csi' }] }));
  });

  it('refuses manifests that do not fit into first-boot data', () => {
    assert.throws(
      () => checkControlNodeSize(controlNode({ plugins: [manifest(2000)] })),
      (error) => error instanceof GatewayError && error.status === 400,
    );
  });
});
