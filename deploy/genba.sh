#!/bin/sh
# Puts a release on this host and serves it, by nginx or Caddy (docs/decisions/hosting.md).
#
#   genba.sh put PATH    a release (tar.gz, or a folder with dist and dist-about) becomes the one that is served
#   genba.sh back [NAME] the one before it, or NAME, is served again
#   genba.sh list        releases on this host; * is served
#   genba.sh run         serves in the foreground (systemd, container)
#   genba.sh check       asks the running server for its version
#
# Values: the environment, or $GENBA_ROOT/site.env (deploy/site.env.example names them).
#
#   $GENBA_ROOT ─ releases/NAME/{dist,dist-about}   each release, with its own headers
#               ├ assets/                           of all of them: their names carry hashes, and open tabs still ask for old ones
#               ├ config.json                       of this environment, whatever the release
#               ├ server/                           written by this script, switched as one
#               └ run/                              written by the server: process, socket, Caddy's certificates
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=${GENBA_ROOT:-/srv/genba}
[ ! -f "$root/site.env" ] || . "$root/site.env"
server=${GENBA_SERVER:-$(command -v caddy >/dev/null && echo caddy || echo nginx)}
http_port=${GENBA_HTTP_PORT:-80}
https_port=${GENBA_HTTPS_PORT:-443}
user=${GENBA_USER:-www-data}
modules=${GENBA_NGINX_MODULES:-/etc/nginx/modules-enabled}
KEPT=5

die() { echo "genba: $*" >&2; exit 1; }

need_values() {
  [ -n "${GENBA_SITE:-}" ] || die 'GENBA_SITE（配置する住所。例 genba.example.jp）がありません'
  for name in GENBA_CRM GENBA_FILES; do
    eval "value=\${$name:-}"
    case $value in
      http://*/* | https://*/*) case ${value#*://} in */*) die "$name はパスなしの住所にしてください（署名はパスを含むので、書き換えられません）: $value" ;; esac ;;
      http://* | https://*) ;;
      *) die "$name（https://… の住所）がありません" ;;
    esac
  done
  case ${GENBA_OTLP:-} in
    '') ;;
    http://*/* | https://*/*) case ${GENBA_OTLP#*://} in */*) die "GENBA_OTLP はパスなしの住所にしてください: $GENBA_OTLP" ;; esac ;;
    http://* | https://*) ;;
    *) die "GENBA_OTLP（http://… か https://… の住所）が正しくありません: $GENBA_OTLP" ;;
  esac
  case $server in
    nginx) [ -f "${GENBA_CERT:-}" ] && [ -f "${GENBA_KEY:-}" ] || die 'nginx には証明書が要ります：GENBA_CERT と GENBA_KEY'
      has_js || die 'nginx に libnginx-mod-http-js がありません。CRM の応答のヘッダーを一覧で通すのに要ります：apt-get install libnginx-mod-http-js' ;;
    caddy) ;;
    *) die "GENBA_SERVER は nginx か caddy です: $server" ;;
  esac
  command -v "$server" >/dev/null || die "$server がありません（apt-get install $server）"
}

served() { [ ! -f "$root/history" ] || tail -n 1 "$root/history"; }

# Each name once, the last served first.
recent() { [ ! -f "$root/history" ] || awk '{ line[NR] = $0 } END { for (n = NR; n > 0; n--) if (!seen[line[n]]++) print line[n] }' "$root/history"; }

# version.json of a folder, as NAME.
name_of() {
  sed -n 's/.*"version":"\([^"]*\)","build":"\([^"]*\)".*/\1-\2/p' "$1/version.json" | grep -E '^[0-9A-Za-z.-]+$' || die "$1/version.json が読めません"
}

put() {
  [ -n "${1:-}" ] || die 'put には配置するものが要ります'
  mkdir -p "$root/releases" "$root/assets" "$root/server" "$root/run" "$root/acme"
  incoming=$(mktemp -d "$root/releases/.incoming-XXXXXX")
  trap 'rm -rf "$incoming"' EXIT
  unpack "$1"
  renew "$@"
  chmod -R u=rwX,go=rX "$incoming"
  for file in dist/index.html dist/sw.js dist-about/headers.nginx dist-about/headers-foreign.nginx dist-about/headers.caddy; do
    [ -f "$incoming/$file" ] || die "$file がありません：npm run build の出力ではないようです"
  done
  name=$(name_of "$incoming/dist")
  # what is there already is the same build
  [ -d "$root/releases/$name" ] || mv "$incoming" "$root/releases/$name"
  # before the page that names them
  cp -R "$root/releases/$name/dist/assets/." "$root/assets/"
  serve "$name"
  forget_old
  tell_unfilled
}

# A release is files and folders below its own: what leads elsewhere would be served, or written to, as root.
unpack() {
  if [ -d "$1" ]; then
    cp -R "$1/dist" "$1/dist-about" "$incoming/"
    [ ! -d "$1/deploy" ] || cp -R "$1/deploy" "$incoming/"
  else
    [ -f "$1.sha256" ] || die "$1.sha256 がありません。リリースの横にあるものを並べてください（自分で作ったものなら：sha256sum '$1' > '$1.sha256'）"
    [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$(cut -d ' ' -f 1 <"$1.sha256")" ] || die "$1 は $1.sha256 と違います。ダウンロードし直してください"
    tar -tzf "$1" >/dev/null || die "$1 を読めません"
    ! tar -tvzf "$1" | grep -qv '^[-d]' || die "$1 にリンクか特別なファイルがあります。リリースではありません"
    ! tar -tzf "$1" | grep -qE '(^/|(^|/)\.\.(/|$))' || die "$1 に外を指す名前があります。リリースではありません"
    tar -xzf "$1" -C "$incoming" --no-same-owner
  fi
  [ -z "$(find "$incoming" ! -type f ! -type d)" ] || die "$1 にリンクか特別なファイルがあります。リリースではありません"
}

# The release brings this script and its templates along: they are put in place first, and it begins anew by them.
renew() {
  [ -f "$incoming/deploy/genba.sh" ] || return 0
  [ -z "${GENBA_RENEWED:-}" ] && ! diff -r "$incoming/deploy" "$here" >/dev/null || { rm -rf "$incoming/deploy"; return 0; }
  # each in one step: the shell goes on reading the file that it has begun
  (cd "$incoming/deploy" && find . -type f) | while read -r file; do
    mkdir -p "$here/$(dirname "$file")"
    cp "$incoming/deploy/$file" "$here/$file.new"
    chmod "$(case $file in *.sh) echo 755 ;; *) echo 644 ;; esac)" "$here/$file.new"
    mv "$here/$file.new" "$here/$file"
  done
  rm -rf "$incoming"
  GENBA_RENEWED=1 exec "$here/genba.sh" put "$@"
}

# An example that was copied and not filled in is noticed at the first login only, and by somebody else.
tell_unfilled() {
  [ -f "$root/config.json" ] || echo "genba: $root/config.json がありません。ビルドの値のまま動きます" >&2
  ! grep -qs '（署名の鍵）' "$root/config.json" || echo "genba: $root/config.json の securityKey が例のままです" >&2
  tells=$(grep -qs '"/otlp"' "$root/config.json" && echo yes || echo no)
  [ "$tells:${GENBA_OTLP:+yes}" != yes: ] || echo "genba: config.json は /otlp に送りますが、GENBA_OTLP がありません" >&2
  [ "$tells:${GENBA_OTLP:+yes}" != no:yes ] || echo "genba: GENBA_OTLP がありますが、config.json の telemetry に /otlp がないので、端末は送りません" >&2
  for name in GENBA_SITE GENBA_CRM GENBA_FILES; do
    eval "value=\$$name"
    case $value in *example.jp | *example.jp:*) echo "genba: $name が例の住所のままです: $value" >&2 ;; esac
  done
}

back() {
  name=${1:-$(recent | sed -n 2p)}
  [ -n "$name" ] && [ -d "$root/releases/$name" ] || die "戻る先がありません: ${name:-（一つだけ）}"
  cp -R "$root/releases/$name/dist/assets/." "$root/assets/"
  serve "$name"
}

# Everything that changes with a release is in one rendered folder: page, headers with its hashes, and the server reads it at once.
serve() {
  next=$(mktemp -d "$root/.server-XXXXXX")
  chmod 755 "$next"
  render "$1" "$next"
  check_rendered "$next" || { rm -rf "$next"; die "$server の設定が通りません。いまの版のままです"; }
  for file in "$next"/*; do mv "$file" "$root/server/"; done
  rmdir "$next"
  echo "$1" >>"$root/history"
  reload
  echo "genba: $1"
}

render() {
  about="$root/releases/$1/dist-about"
  connect="connect-src 'self'${GENBA_CONNECT:+ $GENBA_CONNECT};"
  for kind in nginx caddy; do
    # a build for every environment may call any host: here it is known which
    sed "s#connect-src 'self' https:;#$connect#" "$about/headers.$kind" >"$2/headers.$kind"
  done
  cp "$about/headers-foreign.nginx" "$2/"
  # a release from before the code reader has no headers for it: `back` must be able to serve it
  if [ -f "$about/headers-code.nginx" ]; then
    cp "$about/headers-code.nginx" "$2/"
  else
    cp "$2/headers.nginx" "$2/headers-code.nginx"
    printf '(genba_code_headers) {\n\timport genba_headers\n}\n' >>"$2/headers.caddy"
  fi
  # without the module nginx does not know the word
  brotli=
  ls "$modules"/*brotli-static* >/dev/null 2>&1 && brotli='brotli_static on;'
  # what passes of an answer is a list; the workers read the script where everybody may
  [ "$server" != nginx ] || cp "$here/answer-headers.js" "$2/answer-headers.js"
  port=$([ "$https_port" = 443 ] || echo ":$https_port")
  tls=${GENBA_CERT:+tls $GENBA_CERT $GENBA_KEY}
  # without a collector its part is left out
  otlp=$([ -n "${GENBA_OTLP:-}" ] && echo '/@OTLP_\(BEGIN\|END\)@/d' || echo '/@OTLP_BEGIN@/,/@OTLP_END@/d')
  template=$([ "$server" = nginx ] && echo nginx.conf || echo Caddyfile)
  sed -e "$otlp" -e "s#@OTLP@#${GENBA_OTLP:-}#g" -e "s#@ROOT@#$root#g" -e "s#@RELEASE@#$root/releases/$1#g" -e "s#@SITE@#$GENBA_SITE#g" \
    -e "s#@CRM@#$GENBA_CRM#g" -e "s#@FILES@#$GENBA_FILES#g" -e "s#@HTTP_PORT@#$http_port#g" \
    -e "s#@HTTPS_PORT@#$https_port#g" -e "s#@PORT@#$port#g" -e "s#@CERT@#${GENBA_CERT:-}#g" \
    -e "s#@KEY@#${GENBA_KEY:-}#g" -e "s#@TLS@#$tls#g" -e "s#@BROTLI@#$brotli#g" -e "s#@MODULES@#$modules#g" \
    -e "s#@USER@#$user#g" "$here/$template" >"$2/$template"
}

# The module by which nginx has a list of what passes.
has_js() { ls "$modules"/*http-js* >/dev/null 2>&1; }

# The rendered one names the headers where they will lie: it is tried with them where they are.
check_rendered() {
  trial="$1/trial"
  case $server in
    nginx) sed -e "s#$root/server/headers#$1/headers#" -e "s#$root/server/answer#$1/answer#" "$1/nginx.conf" >"$trial" && nginx -t -q -c "$trial" ;;
    caddy) sed "s#$root/server/headers#$1/headers#" "$1/Caddyfile" >"$trial" && caddy validate --adapter caddyfile --config "$trial" >/dev/null 2>"$1/said" || { cat "$1/said" >&2; false; } ;;
  esac
  status=$?
  rm -f "$trial" "$1/said"
  return $status
}

# A number that is left from before may be another process's by now.
is_running() {
  [ -f "$root/run/$server.pid" ] && grep -qx "$server" "/proc/$(cat "$root/run/$server.pid")/comm" 2>/dev/null
}

# What is under way ends by the old release.
reload() {
  is_running || { echo "genba: $server は動いていません（genba.sh run、または systemctl start genba）" >&2; return 0; }
  case $server in
    nginx) nginx -c "$root/server/nginx.conf" -s reload ;;
    caddy) caddy reload --adapter caddyfile --config "$root/server/Caddyfile" --address "unix/$root/run/caddy.sock" >/dev/null 2>&1 || die 'caddy reload に失敗しました' ;;
  esac
}

forget_old() {
  for release in "$root"/releases/*; do
    recent | head -n $KEPT | grep -qxF "$(basename "$release")" || rm -rf "$release"
  done
  for asset in "$root"/assets/*; do
    ls "$root"/releases/*/dist/assets/"$(basename "$asset")" >/dev/null 2>&1 || rm -f "$asset"
  done
}

list() {
  now=$(served)
  recent | while read -r name; do
    if [ -d "$root/releases/$name" ]; then
      if [ "$name" = "$now" ]; then echo "* $name"; else echo "  $name"; fi
    fi
  done
}

run() {
  [ -n "$(served)" ] || die '配置した版がありません（genba.sh put）'
  mkdir -p "$root/run"
  case $server in
    # its workers are $user's (nginx.conf); whoever begins it reads the key and opens the ports
    nginx) exec nginx -c "$root/server/nginx.conf" -g 'daemon off;' ;;
    caddy)
      rm -f "$root/run/caddy.sock"
      as_user caddy run --adapter caddyfile --config "$root/server/Caddyfile" --pidfile "$root/run/caddy.pid"
      ;;
  esac
}

# Root only opens the ports: what speaks with everybody owns nothing but its own folder, and can become nobody else.
as_user() {
  export XDG_DATA_HOME="${XDG_DATA_HOME:-$root/run}" XDG_CONFIG_HOME="${XDG_CONFIG_HOME:-$root/run}"
  [ "$(id -u)" = 0 ] || exec "$@"
  chown -R "$user" "$root/run"
  for file in "${GENBA_CERT:-}" "${GENBA_KEY:-}"; do
    [ -z "$file" ] || setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups cat "$file" >/dev/null 2>&1 ||
      die "$user が $file を読めません（Caddy は root では動きません）"
  done
  exec setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups --no-new-privs \
    --inh-caps=-all,+net_bind_service --ambient-caps=-all,+net_bind_service --bounding-set=-all,+net_bind_service "$@"
}

check() {
  curl --fail --silent --show-error --max-time 10 "https://$GENBA_SITE$([ "$https_port" = 443 ] || echo ":$https_port")/healthz"
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  put | back | run | check) need_values; "$command" "$@" ;;
  list) list ;;
  *) sed -n '2,9p' "$0" | sed 's/^# \{0,1\}//'; exit 2 ;;
esac
