import assert from 'node:assert/strict';
import { capByQuota, type GpuQuota, gpuDeviceOf } from '@gateway/views';

describe('the GPU of a resource class', () => {
  for (const [resourceClass, expected] of [
    ['CUSTOM_PCI_10DE_20B0', ['A100', 'NVIDIA']],
    ['CUSTOM_PCI_1002_740F', ['MI210', 'AMD']],
    ['CUSTOM_PCI_10DE_FFFF', ['10de:ffff', 'NVIDIA']],
    ['CUSTOM_PCI_ABCD_0001', ['abcd:0001', null]],
    ['CUSTOM_GPU_A100', ['A100', 'NVIDIA']],
    ['CUSTOM_NVIDIA_VGPU', ['NVIDIA VGPU', 'NVIDIA']],
    ['VGPU', ['VGPU', null]],
    ['PGPU', ['PGPU', null]],
  ] as const) {
    it(`${resourceClass} is ${expected.join(' of ')}`, () => {
      const device = gpuDeviceOf(resourceClass);
      assert.deepEqual([device?.device_name, device?.vendor], expected);
    });
  }

  it('is none for audio functions and other resources', () => {
    for (const name of [
      'CUSTOM_PCI_10DE_1AEF',
      'VCPU',
      'CUSTOM_FPGA',
      'VGPU_DISPLAY_HEAD',
      'CUSTOM_PCI_XYZ',
    ]) {
      assert.equal(gpuDeviceOf(name), null, name);
    }
  });
});

describe('a GPU quota', () => {
  const quota = (available: number): GpuQuota => ({ limit: 4, in_use: 2, available, source: 'project' });

  it('caps what is available of its type, however the type is written', () => {
    assert.equal(capByQuota({ 'rtx-a6000': quota(2) }, 'RTX A6000', 8), 2);
    assert.equal(capByQuota({ A100: quota(2) }, 'RTX A6000', 8), 8);
  });

  it('caps nothing if it is unlimited or absent', () => {
    assert.equal(capByQuota({ A100: quota(-1) }, 'A100', 8), 8);
    assert.equal(capByQuota({}, 'A100', 8), 8);
  });
});
