# Search paths of /workspace for login shells. For root, the system's programs come first.
if [ "$(id -u)" = 0 ]; then
    PATH=$PATH:/workspace/bin:/workspace/python/bin:/workspace/python-packages/bin
else
    PATH=/workspace/bin:/workspace/python/bin:/workspace/python-packages/bin:$PATH
fi
PYTHONPATH=/workspace/python-packages${PYTHONPATH:+:$PYTHONPATH}
export PATH PYTHONPATH
