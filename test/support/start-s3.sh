#!/usr/bin/env bash
# Starts an S3-compatible object storage for tests on 127.0.0.1: Ceph's RADOS gateway with one monitor and one disk, which
# is a sparse file. Three processes, about 180 MB of memory, 7 seconds to start. Packages on Debian and Ubuntu:
#   apt-get install --no-install-recommends ceph-mon ceph-osd radosgw curl
#
#   start-s3.sh start DIR PORT   starts it with the data of an earlier start in DIR, and prints its S3_* variables
#   start-s3.sh stop DIR         kills its processes; acknowledged objects survive
#
# PORT and the next port must be free. Several can run at the same time, each in a folder of its own.
set -euo pipefail
dir=$(realpath -m "$2")
key=test-key secret=secret-of-the-test-store bucket=rangoli-test
pids=$dir/pids log=$dir/processes.log

# The ids of processes are reused: only those whose environment names the folder are ours.
is_ours() { grep -qzxF "CEPH_CONF=$dir/ceph.conf" "/proc/$1/environ" 2>/dev/null; }

stop() {
  [ -f "$pids" ] || return 0
  local killed=() pid
  for pid in $(cat "$pids"); do if is_ours "$pid"; then kill -9 "$pid" && killed+=("$pid"); fi; done
  for pid in ${killed[@]+"${killed[@]}"}; do while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; done
  rm -f "$pids"
}

fail() {
  tail -n 20 "$log" >&2
  stop
  echo "The object storage did not start; see $dir/*.log." >&2
  exit 1
}

stop
[ "$1" = start ] || exit 0
port=$3 endpoint=http://127.0.0.1:$3 monitor="[v2:127.0.0.1:$(($3 + 1))]"
mkdir -p "$dir/mon" "$dir/osd" "$dir/rgw"
cd "$dir"
rm -f ./*.log
[ -f fsid ] || cat /proc/sys/kernel/random/uuid >fsid
# No keys between the processes, and one copy of everything. `crc` because the gateway demands `secure` otherwise, which
# hangs without keys. The short proposal interval makes each of about thirty changes at the first start take 20 ms, not 1 s.
cat >ceph.conf <<CONF
[global]
fsid = $(cat fsid)
mon host = v2:127.0.0.1:$((port + 1))
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
paxos propose interval = 0.02
paxos min wait = 0.01
run dir = $dir
log file = $dir/\$name.log
admin socket =
mon data = $dir/mon
osd data = $dir/osd
rgw data = $dir/rgw
mon data avail crit = 1
mon allow pool size one = true
osd objectstore = bluestore
bluestore block size = 4294967296
bluestore cache autotune = false
bluestore cache size = 67108864
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
rgw frontends = beast endpoint=127.0.0.1:$port
rgw thread pool size = 64
rgw enable usage log = false
CONF
export CEPH_CONF=$dir/ceph.conf

run() {
  "$@" >>"$log" 2>&1 </dev/null &
  echo $! >>"$pids"
}

if [ ! -f mon/kv_backend ]; then
  monmaptool --create --clobber --fsid "$(cat fsid)" --addv a "$monitor" monmap >>"$log" 2>&1 || fail
  ceph-mon --mkfs -i a --monmap monmap >>"$log" 2>&1 || fail
fi
run ceph-mon -f -i a
if [ ! -f osd/ready ]; then
  cat /proc/sys/kernel/random/uuid >osd/uuid
  timeout 60 ceph osd new "$(cat osd/uuid)" >>"$log" 2>&1 || fail
  ceph-osd --mkfs -i 0 --osd-uuid "$(cat osd/uuid)" >>"$log" 2>&1 || fail
  touch osd/ready
fi
run ceph-osd -f -i 0
# A gateway that asks for the disk before it is there asks again after 10 seconds.
disk=$(tail -n 1 "$pids")
for _ in $(seq 600); do
  if grep -q 'state: booting -> active' osd.0.log 2>/dev/null; then break; fi
  kill -0 "$disk" 2>/dev/null || fail
  sleep 0.05
done
run radosgw -f -n client.rgw
gateway=$(tail -n 1 "$pids")
for _ in $(seq 600); do
  if curl -s -o /dev/null "$endpoint"; then break; fi
  kill -0 "$gateway" 2>/dev/null || fail
  sleep 0.1
done
if [ ! -s user ]; then
  timeout 60 radosgw-admin user create --uid rangoli --display-name Rangoli \
    --access-key "$key" --secret-key "$secret" >user 2>>"$log" || fail
fi
# curl 7.88 signs wrongly unless it is given the hash of the body.
curl -fs -o /dev/null -X PUT -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' --aws-sigv4 aws:amz:us-east-1:s3 \
  --user "$key:$secret" "$endpoint/$bucket" || fail
printf '%s\n' "S3_ENDPOINT=$endpoint" "S3_BUCKET=$bucket" "S3_ACCESS_KEY_ID=$key" "S3_SECRET_ACCESS_KEY=$secret"
