/**
 * What a connection of the writer needs once. A process that stops in the middle of a transaction must not keep its
 * locks for ever, nor one whose machine is gone: PostgreSQL would wait for hours for the rest of a COPY. Whatever else
 * limits statements is meant for requests. The tables take rows that go on by `insert … on conflict`, which COPY does
 * not have.
 */
export const PREPARE_SESSION = `
set statement_timeout = 0;
set lock_timeout = 0;
set idle_in_transaction_session_timeout = '60s';
set tcp_keepalives_idle = '10s';
set tcp_keepalives_interval = '5s';
set tcp_keepalives_count = 4;
set tcp_user_timeout = '30s';
create temp table if not exists new_contents (hash bytea, part integer, boc bytea) on commit delete rows;
create temp table if not exists new_codes (hash bytea, boc bytea, methods bigint[]) on commit delete rows;
create temp table if not exists new_accounts
  (like latest_account_states, boc bytea, is_missing boolean, is_undetected boolean) on commit delete rows;
create temp table if not exists new_account_states (like account_states) on commit delete rows;
`;
