import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examplesFolder } from '../../scripts/firstboot-machine.ts';

/** Settings of the installer's stand-in, a line each. */
type InstallerSettings = Record<string, string>;

/** A web server's folder with a stand-in for the installer of k3s. */
export interface NodeSource {
  /** Options of `boot` that serve it. */
  options: string[];
  remove(): void;
}

/**
 * @param wrap the served script, which runs that of the stand-in from `http://10.0.2.2/stub.sh`
 * @param files further files, by name, which are at `http://10.0.2.2/<name>`
 */
export function nodeSource(
  settings: InstallerSettings = {},
  wrap?: string,
  files: Record<string, string> = {},
): NodeSource {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-firstboot-web-'));
  const installer = readFileSync(join(examplesFolder, 'stub-k3s-install.sh'), 'utf8');
  mkdirSync(join(folder, 'get.k3s.io'));
  writeFileSync(join(folder, 'get.k3s.io/index.sh'), wrap ?? installer);
  writeFileSync(join(folder, 'stub.sh'), installer);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, 'stub-k3s.env'), lines.join(''));
  return {
    options: ['--no-vdb', '--http-dir', folder],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * An installer whose machine loses power three times: at the end of the installation, while the manifests of
 * the plugin `second` are applied, and after the first attempt to report. From the second boot on, cloud-init
 * ends after the last of them: `boot` starts the check then, and a check does not survive a power failure.
 */
export const installerWithPowerFailures = `#!/bin/sh
set -e
curl -fsS http://10.0.2.2/stub.sh > /run/stub.sh
sh /run/stub.sh "$@"
mv /usr/local/bin/k3s /usr/local/bin/k3s-stand-in
cat > /usr/local/bin/k3s << 'END'
#!/bin/bash
lose_power() {
    if [ -e "/root/power-failure-$1" ]; then return; fi
    touch "/root/power-failure-$1"
    sync -f /root
    echo b > /proc/sysrq-trigger
    sleep 60
}
report=/var/lib/gateway/first-boot/final-report.json
case "$*" in
    power-failure) lose_power install ;;
    *apply*second*) lose_power plugin ;;
    --version) (until [ -e "$report" ]; do sleep 0.2; done; sleep 4; lose_power report) > /dev/null 2>&1 < /dev/null & ;;
esac
exec /usr/local/bin/k3s-stand-in "$@"
END
chmod 755 /usr/local/bin/k3s
mkdir -p /etc/systemd/system/cloud-final.service.d
cat > /etc/systemd/system/cloud-final.service.d/after-power-failures.conf << 'END'
[Service]
TimeoutStartSec=infinity
ExecStartPre=/bin/sh -c 'until [ -e /root/power-failure-report ]; do sleep 1; done'
END
k3s power-failure
`;

/**
 * An installer that provides the requested release: the node has it, and each start of its server changes the
 * database. The first start of the release `slow` takes longer than the tests wait, and `broken` does not
 * start.
 */
export function installerOfReleases({ slow, broken }: { slow: string; broken: string }): string {
  return `#!/bin/sh
set -e
folder=\${INSTALL_K3S_BIN_DIR:-/usr/local/bin}
if [ -z "\${INSTALL_K3S_BIN_DIR-}" ]; then
    curl -fsS http://10.0.2.2/stub.sh > /run/stub.sh
    sh /run/stub.sh "$@"
    mv /usr/local/bin/k3s /usr/local/bin/k3s-stand-in
fi
sed "s/@RELEASE@/$INSTALL_K3S_VERSION/" > "$folder/k3s" << 'END'
#!/bin/bash
release=@RELEASE@
case "$*" in
    --version)
        printf 'k3s version %s (stand-in)\\n' "$release"
        exit
        ;;
    *kubeletVersion*)
        printf '%s True' "$(cat /run/k3s-release)"
        exit
        ;;
    server*)
        mkdir -p /var/lib/rancher/k3s/server/db
        printf '%s\\n' "$release" >> /var/lib/rancher/k3s/server/db/state.db
        if [ "$release" = ${broken} ]; then exit 1; fi
        if [ "$release" = ${slow} ] && [ ! -e /root/slow-start ]; then
            touch /root/slow-start
            sync
            sleep 60
        fi
        printf '%s' "$release" > /run/k3s-release
        ;;
esac
exec /usr/local/bin/k3s-stand-in "$@"
END
chmod 755 "$folder/k3s"
`;
}
