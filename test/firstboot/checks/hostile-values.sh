# Checks that name and password arrive as text, and no part of them is executed. EXPECT_HOSTNAME, PASSWORD.

check hostname equal "$(hostname)" "$EXPECT_HOSTNAME"
# As another user than root, so that su asks for the password.
check logs-in sh -c 'printf "%s\n" "$PASSWORD" | runuser --user nobody -- su --login debian --command "id --user --name" | grep --quiet debian'
check wrong-password-refused refused sh -c 'printf "%sx\n" "$PASSWORD" | runuser --user nobody -- su --login debian --command true'
check nothing-executed refused sh -c 'find / -xdev -name "gateway-was-here*" | grep .'
check no-secret-in-logs refused grep --fixed-strings --quiet --recursive -e "$PASSWORD" /var/log
