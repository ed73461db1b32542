# Search paths of /workspace for log-in shells. For root the system's own programs come first.
if [ "$(id -u)" = 0 ]; then
    PATH=$PATH:/workspace/bin:/workspace/python/bin
else
    PATH=/workspace/bin:/workspace/python/bin:$PATH
fi
PYTHONPATH=/workspace/python${PYTHONPATH:+:$PYTHONPATH}
export PATH PYTHONPATH
