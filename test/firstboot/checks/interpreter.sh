# Checks that the libraries have an interpreter of their own.
# IMAGE_PYTHON: the version of the image's python3, as `3.13`; empty if the image has none. GREETING: what
# the compiled module returns.

wait_for 300 mountpoint /workspace

check cloud-init-done equal "$FIRSTBOOT_STATUS" done
check overlay equal "$(mount_of /workspace FSTYPE)" overlay
check nfs-version equal "$(mount_of "$layers/1" OPTIONS | grep -o 'vers=[^,]*')" vers=4.1
check image-python equal "$(/usr/bin/python3 --version 2> /dev/null | grep -oE '[0-9]+\.[0-9]+' | head --lines=1)" "$IMAGE_PYTHON"
check python-of-user equal "$(as_user 'command -v python3')" /workspace/python/bin/python3
check prefix equal "$(as_user 'python3 -c "import sys; print(sys.prefix, *sys.version_info[:2])"')" '/workspace/python 3 11'
check module-imports equal "$(as_user 'python3 -c "import compiled_library; print(compiled_library.greeting())"')" "$GREETING"
check program-runs equal "$(as_user compiled-library)" "$GREETING"
check pip-lists-packages contains <(as_user 'python3 -m pip list --disable-pip-version-check 2> /dev/null') compiled-library
check works-in-cron-shell equal "$(runuser --user debian -- env --ignore-environment /workspace/python/bin/compiled-library)" "$GREETING"
check user-cannot-fill-search-paths refused as_user 'touch /workspace/python/lib/python3.11/site-packages/planted.py'
check services-see-no-path services_see_no_path
check service-that-asks equal "$(systemd-run --quiet --pipe --wait --uid=debian \
    --property=EnvironmentFile=/etc/gateway/workspace.env --property=RequiresMountsFor=/workspace \
    /bin/sh -c compiled-library)" "$GREETING"
check nothing-left-mounted refused sh -c 'findmnt --noheadings --output TARGET | grep -E "gateway/install|/workspace/python"'
check no-failed-unit equal "$(systemctl list-units --failed --no-legend --plain)" ''
