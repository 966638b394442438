# The smallest system of another release of Debian or Ubuntu, for tests that build and run there; sourced after
# cmake/setup.sh, never run by itself. Needs the rights of root.

skip() { echo "skipped: $1" >&2; exit 77; }

# make_small_root SUITE FOLDER [UBUNTU KEYRING]: by debootstrap, from where this machine takes Debian's packages, or from
# Ubuntu's mirror with its keys. Nothing where it has been made before.
make_small_root() {
  local suite=$1 folder=$2 mirror script=/usr/share/debootstrap/scripts/$1 like=sid more=()
  local made=$folder/etc/apt/apt.conf.d/90-snapshot
  [[ ! -e $made ]] || return 0
  install_packages debootstrap || skip "debootstrap cannot be installed"
  case $suite in
    jammy | noble | oracular | plucky | questing | resolute)
      mirror=$3 like=jammy more=("--components=main,universe" "--keyring=$4")
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
