# Search paths of /workspace for login shells. For root, the system's programs come first.
if [ "$(id -u)" = 0 ]; then
    PATH=$PATH:/workspace/bin:/workspace/python/bin
else
    PATH=/workspace/bin:/workspace/python/bin:$PATH
fi
PYTHONPATH=/workspace/python${PYTHONPATH:+:$PYTHONPATH}
export PATH PYTHONPATH
