#!/usr/bin/env bash
# Makes a Citus cluster of PostgreSQL servers that have the databases and the extension. Can be run again.
# COORDINATOR and WORKERS are host names (with :port if it is not 5432), DATABASES the databases, PGUSER a superuser whose
# password is in POSTGRES_PASSWORD_FILE.
set -euo pipefail

password="$(cat "$POSTGRES_PASSWORD_FILE")"
export PGPASSWORD="$password"

host_of() { printf '%s' "${1%%:*}"; }
port_of() { case "$1" in *:*) printf '%s' "${1##*:}" ;; *) printf 5432 ;; esac; }

# Statements come from standard input, so that no password is among the arguments of a process.
run() {
  psql --no-psqlrc --quiet --tuples-only --set ON_ERROR_STOP=1 --host "$(host_of "$1")" --port "$(port_of "$1")" --dbname "$2"
}

for database in $DATABASES; do
  # Nodes log in to each other with the same password, which may have any characters.
  for node in $COORDINATOR $WORKERS; do
    run "$node" "$database" <<SQL
INSERT INTO pg_dist_authinfo (nodeid, rolename, authinfo)
VALUES (0, current_user, format('password=''%s''', regexp_replace(\$password\$$password\$password\$, '([\\\\''])', '\\\\\1', 'g')))
ON CONFLICT (rolename, nodeid) DO UPDATE SET authinfo = excluded.authinfo;
SQL
  done
  run "$COORDINATOR" "$database" >/dev/null <<<"SELECT citus_set_coordinator_host('$(host_of "$COORDINATOR")', $(port_of "$COORDINATOR"));"
  for worker in $WORKERS; do
    run "$COORDINATOR" "$database" >/dev/null <<<"SELECT citus_add_node('$(host_of "$worker")', $(port_of "$worker"));"
  done
  echo "$database: $(run "$COORDINATOR" "$database" <<<'SELECT count(*) FROM citus_get_active_worker_nodes();' | tr -d ' ') workers"
done

if [ "${STAY:-yes}" = yes ]; then
  touch /tmp/cluster-is-complete
  exec sleep infinity
fi
