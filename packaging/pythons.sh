# pythons: one interpreter for each Python from 3.10 on that is at hand, by path; PYTHONS names others.
# Debian's own, those in PATH and those of pyenv are looked at.
pythons() {
  local path version seen=" "
  for path in ${PYTHONS:-"$HOME"/.pyenv/versions/3.*/bin/python $(compgen -c python3. | sort -u) /usr/bin/python3}; do
    version=$("$path" -c 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    case $version in 3.[0-9]) continue ;; esac
    case $seen in *" $version "*) continue ;; esac
    seen+="$version "
    echo "$version $path"
  done | sort -V
}

# environment DIR PYTHON FILE: a virtual environment with what FILE pins; made once.
environment() {
  cmp -s "$3" "$1/requirements.txt" && return
  rm -rf "$1"
  "$2" -m venv "$1"
  "$1/bin/pip" install -q --disable-pip-version-check --require-hashes -r "$3"
  cp "$3" "$1/requirements.txt"
}
