# Did the name and the password come through as text, and nothing of them as a command? EXPECT_HOSTNAME.

check hostname equal "$(hostname)" "$EXPECT_HOSTNAME"
# By the door that people use: su asks whoever is not root.
check logs-in sh -c 'printf "%s\n" "$PASSWORD" | runuser --user nobody -- su --login debian --command "id --user --name" | grep --quiet debian'
check wrong-password-refused refused sh -c 'printf "%sx\n" "$PASSWORD" | runuser --user nobody -- su --login debian --command true'
check nothing-executed refused sh -c 'find / -xdev -name "gateway-was-here*" | grep .'
check no-secret-in-logs refused grep --fixed-strings --quiet --recursive -e "$PASSWORD" /var/log
