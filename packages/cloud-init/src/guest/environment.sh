# The package sources, the proxy and the certificate authorities of the work. Sourced. Only root can read the
# file, because its URLs may contain passwords.
environment=/etc/gateway/first-boot/environment

if [ -e "$environment" ]; then
    while read -r line; do export "${line?}"; done < "$environment"
fi

# Programs with certificates of their own, such as pip, do not use those that cloud-init has added to the
# system.
if [ -n "${GATEWAY_SYSTEM_CERTIFICATES:-}" ]; then
    for bundle in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
        if [ -e "$bundle" ]; then export PIP_CERT=$bundle SSL_CERT_FILE=$bundle; fi
    done
fi
