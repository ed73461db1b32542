import assert from 'node:assert/strict';
import { reportedPlugins } from '@gateway/lite';

describe('the plugins in the report of a control node', () => {
  it('have failed unless the node says that they are deployed', () => {
    const { pluginStatus, pluginMessages } = reportedPlugins(['cloud_controller', 'block_csi', 'file_csi'], {
      success: true,
      plugin_status: { cloud_controller: 'deployed', block_csi: 'failed', unknown: 'deployed' },
    });

    assert.deepEqual(pluginStatus, { cloud_controller: 'deployed', block_csi: 'failed', file_csi: 'failed' });
    assert.deepEqual(Object.keys(pluginMessages), ['block_csi', 'file_csi']);
    assert.match(pluginMessages.file_csi ?? '', /was not installed/);
  });

  it('say why their pods do not run', () => {
    const message = 'rpc error: not found';
    const waiting = { reason: 'ErrImagePull', message };
    const { pluginMessages } = reportedPlugins(['block_csi'], {
      success: true,
      plugin_status: { block_csi: 'failed' },
      plugin_pods: {
        block_csi: [{}, { containerStatuses: [{ name: 'driver', image: 'csi:v1', state: { waiting } }] }],
      },
    });

    assert.equal(
      pluginMessages.block_csi,
      `The plugin did not become available in time: the image csi:v1 cannot be pulled: ${message}.`,
    );
  });

  it('accept whatever a control node sends', () => {
    for (const status of [{}, { containerStatuses: 'x' }, { containerStatuses: [null, 5, { state: 7 }] }]) {
      const { pluginMessages } = reportedPlugins(['block_csi'], {
        success: true,
        plugin_pods: { block_csi: [status as object] },
      });

      assert.match(pluginMessages.block_csi ?? '', /^The plugin did not become available in time/);
    }
  });
});
