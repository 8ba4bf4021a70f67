#!/bin/sh
# The three REST calls with curl: generates an image, saves it as image.jpg, shares it, and finds it in the gallery.
#
#     RANGOLI_TOKEN=… sh rest.sh
set -eu

site=${RANGOLI_URL:-http://localhost:3000}
token=${RANGOLI_TOKEN:?Set RANGOLI_TOKEN to an API key of the site.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Calls write the response to a file and print the status. curl reads the token from standard input, because every user
# of this machine can read the arguments of programs.
call() {
  into=$1
  shift
  printf 'header = "Authorization: Bearer %s"\n' "$token" |
    curl --silent --show-error --config - --output "$work/$into" --write-out '%{http_code}' "$@"
}

# Extracts a field of a response; a program would parse the JSON instead.
field() {
  sed -n "s/.*\"$2\":\"\([^\"]*\)\".*/\1/p" "$work/$1"
}

expect() {
  [ "$1" = "$2" ] && return
  echo "$(field "$3" error) ($1)" >&2
  exit 1
}

echo "1. An image of a peacock; with the same key it is generated once, however often it is requested."
status=$(call image.json "$site/api/v1/imgGenerate" \
  --header 'Content-Type: application/json' \
  --header "Idempotency-Key: rest-example-$$-$(date +%s)" \
  --data '{"prompt":"A peacock in the monsoon"}')
expect "$status" 200 image.json
field image.json photo | base64 -d > image.jpg
echo "   $(wc -c < image.jpg | tr -d ' ') bytes are in image.jpg"

echo "2. Shared to the gallery, byte for byte."
{
  printf '{"name":"Asha","prompt":"A peacock in the monsoon","photo":"data:image/jpeg;base64,'
  base64 < image.jpg | tr -d '\n'
  printf '"}'
} > "$work/post.json"
status=$(call shared.json "$site/api/v1/post" \
  --header 'Content-Type: application/json' --data-binary "@$work/post.json")
expect "$status" 201 shared.json
echo "   $(field shared.json photo)"

echo "3. Found in the gallery, which needs no token."
curl --silent --show-error --fail --get "$site/api/v1/post" \
  --data-urlencode 'search=peacock' --data 'limit=1'
echo

echo "4. An error response."
curl --silent --show-error "$site/api/v1/post?limit=none"
echo
