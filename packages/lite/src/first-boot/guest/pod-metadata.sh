#!/bin/sh
# Drops packets of pods to the metadata service, which would give them this node's first-boot data
# with its secrets. Only forwarded packets arrive here, not those of the node itself and of pods in
# its network namespace.
PATH=$PATH:/usr/sbin:/sbin:/var/lib/rancher/k3s/data/current/bin/aux
set -- PREROUTING --destination 169.254.169.254/32 --jump DROP
iptables --wait --table raw --check "$@" 2> /dev/null || exec iptables --wait --table raw --append "$@"
