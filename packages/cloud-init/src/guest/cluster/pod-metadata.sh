#!/bin/sh
# Drops what pods send to the metadata service, which would give them the first-boot data of this node, with its secrets.
# Only forwarded packets arrive here: those of the node itself, and of pods in its network namespace, are not affected.
PATH=$PATH:/usr/sbin:/sbin:/var/lib/rancher/k3s/data/current/bin/aux
set -- PREROUTING --destination 169.254.169.254/32 --jump DROP
iptables --wait --table raw --check "$@" 2> /dev/null || exec iptables --wait --table raw --append "$@"
