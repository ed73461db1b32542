# Checks the password of the default user. PASSWORD: the requested one.

has_password() {
    SHADOW=$(getent shadow debian | cut --delimiter=: --fields=2) python3 -W ignore -c '
import crypt, os
shadow = os.environ["SHADOW"]
assert shadow.startswith("$6$"), shadow[:3]
assert crypt.crypt(os.environ["PASSWORD"], shadow) == shadow, "another password"'
}
check password has_password
