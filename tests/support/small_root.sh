# The smallest system of another release of Debian or Ubuntu, for tests that build and run there; sourced after
# cmake/setup.sh, never run by itself. Needs the rights of root.

ubuntu=http://archive.ubuntu.com/ubuntu keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg  # for Ubuntu's suites

skip() { echo "skipped: $1" >&2; exit 77; }

# make_small_root SUITE FOLDER: by debootstrap, from where this machine takes Debian's packages, or from Ubuntu's mirror
# with its keys. Nothing where it has been made before.
make_small_root() {
  local suite=$1 folder=$2 mirror script=/usr/share/debootstrap/scripts/$1 like=sid more=()
  local made=$folder/etc/apt/apt.conf.d/90-snapshot
  [[ ! -e $made ]] || return 0
  install_packages debootstrap || skip "debootstrap cannot be installed"
  case $suite in
    jammy | noble | oracular | plucky | questing | resolute)
      mirror=$ubuntu like=jammy more=("--components=main,universe" "--keyring=$keyring")
      ;;
    *)
      mirror=$(apt-get indextargets --format '$(SITE) $(ORIGIN)' 'Created-By: Packages' |
        awk '$2 == "Debian" && !/security/ {print $1; exit}')
      [[ -n $mirror ]] || skip "apt's sources name no mirror of Debian"
      ;;
  esac
  [[ -e $script ]] || script=/usr/share/debootstrap/scripts/$like
  debootstrap --variant=minbase "${more[@]}" "$suite" "$folder" "$mirror" "$script" >/dev/null ||
    skip "$mirror does not serve $suite"
  # A mirror may be a snapshot whose lists have run out; the signature is checked all the same.
  echo 'Acquire::Check-Valid-Until "false";' >"$made"
}

# within ROOT COMMAND...: as on a machine of its own, without what this one has set.
within() {
  local root=$1
  shift
  chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt CCACHE_DIR=/ccache CCACHE_DEPEND=1 \
    SOURCE_DATE_EPOCH="$(git -C "$here" log -1 --format=%ct)" "$@"
}

# bring_sources ROOT: those that git tracks.
bring_sources() {
  mkdir -p "$1/hipsplat" "$1/ccache"
  git -C "$here" ls-files -z | tar -C "$here" --null -T - -c | tar -C "$1/hipsplat" -x
}

# install_within ROOT NAME...: install_packages in that root, which has the sources.
install_within() { within "$1" bash -c 'source /hipsplat/cmake/setup.sh; install_packages "$@"' install "${@:2}"; }

# trust_authorities ROOT: those that this machine's administrator has added, for pip.
trust_authorities() {
  local known=usr/local/share/ca-certificates
  if compgen -G "/$known/*.crt" >/dev/null && ! compgen -G "$1/$known/*.crt" >/dev/null; then
    install_within "$1" ca-certificates
    cp /$known/*.crt "$1/$known/"
    within "$1" update-ca-certificates >/dev/null
  fi
}
