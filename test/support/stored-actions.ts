import { zstdDecompressSync } from 'node:zlib';
import { type Kysely, type Selectable, sql } from 'kysely';
import { ACCOUNT_BYTES, fromAccountOrText } from '../../src/chain/address.ts';
import type { Tables, TracesTable } from '../../src/db/tables/tables.ts';
import type { ActionRow } from '../../src/index/action-row.ts';
import {
  ACTION_TYPES,
  DETAIL_KEYS,
  isCommonType,
  maskOfTypes,
  sliceOf,
  typeKey,
} from '../../src/index/format/action-names.ts';
import { packActions } from '../../src/index/format/actions.ts';
import { accountPrefix, hashPrefix, storedTime, unixTime } from '../../src/index/format/position.ts';
import { traceIdOf } from '../../src/index/format/trace-info.ts';

const SIGN = 1n << 63n;
const PARTIES =
  'source source_secondary destination destination_secondary asset asset_secondary asset2 asset2_secondary';

/** All stored actions, by trace and in the order in which they were packed. A second reader, written from the description of the format. */
export async function readStoredActions(db: Kysely<Tables>): Promise<ActionRow[]> {
  const rows = await db.selectFrom('trace_actions').selectAll().orderBy('trace8').execute();
  return rows.flatMap((row) => {
    const hashOf = (prefix: string, rest: Buffer) =>
      Buffer.from((BigInt(prefix) + SIGN).toString(16).padStart(16, '0') + rest.toString('hex'), 'hex');
    const bytes = bytesOf(row.body);
    const hashes: Buffer[] = [hashOf(row.trace8, bytes.take(24)), hashOf(row.action8, bytes.take(24))];
    hashes.push(...bytes.list(() => bytes.take(32)));
    const parties: Buffer[] = bytes.list(() => Buffer.concat([Buffer.of(0), bytes.take(32)]));
    parties.push(...bytes.list(() => bytes.take(33)), ...bytes.list(() => bytes.take(bytes.count())));
    const [external, norm] = [bytes.count(), bytes.count()];
    bytes.list(bytes.count);
    const trace = {
      trace_id: hashes[0]!,
      trace_mc_seqno_end: row.mc_seqno_end,
      trace_end_lt: row.trace_end_lt,
      trace_end_utime: `${unixTime(row.trace_end_utime)}`,
      trace_external_hash: hashes[external - 1] ?? null,
      trace_external_hash_norm: hashes[norm - 1] ?? null,
    };
    return bytes.list(() => readAction(bytes, trace, hashes, parties));
  });
}

function bytesOf(body: Buffer) {
  const plain = body[0] === 1 ? zstdDecompressSync(body.subarray(1)) : body.subarray(1);
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    return plain.subarray(at - length, at);
  };
  const unsigned = (): bigint => {
    const byte = BigInt(take(1)[0]!);
    return byte < 128n ? byte : (byte & 127n) + 128n * unsigned();
  };
  const count = () => Number(unsigned());
  const signed = () => {
    const value = unsigned();
    return value % 2n === 0n ? value / 2n : -(value / 2n);
  };
  const list = <T>(read: () => T): T[] => Array.from({ length: count() }, read);
  return { take, count, signed, list, text: () => `${take(count())}` };
}

type Bytes = ReturnType<typeof bytesOf>;

function readAction(
  bytes: Bytes,
  trace: Pick<ActionRow, 'trace_end_lt' | 'trace_end_utime' | 'trace_mc_seqno_end'>,
  hashes: readonly Buffer[],
  parties: readonly Buffer[],
): ActionRow {
  const name = () => {
    const id = bytes.count();
    return id === 0 ? bytes.text() : ACTION_TYPES.nameOf(id);
  };
  const type = name();
  const flags = bytes.count();
  const ancestors = flags & 4 ? bytes.list(name) : [];
  const id = hashes[bytes.count()]!;
  const parent = flags & 2 ? hashes[bytes.count()]! : null;
  const endLt = BigInt(trace.trace_end_lt) - bytes.signed();
  const startLt = endLt - bytes.signed();
  const endUtime = BigInt(trace.trace_end_utime) - bytes.signed();
  const startUtime = endUtime - bytes.signed();
  const seqno = trace.trace_mc_seqno_end - Number(bytes.signed());
  const transactions = bytes.list(() => hashes[bytes.count()]!);
  const accounts = bytes.list(() => parties[bytes.count()]!);
  bytes.count();
  const present = bytes.count();
  const ifPresent = <T>(bit: number, read: () => T) => (present & (1 << bit) ? read() : null);
  const columns = PARTIES.split(' ').map((name, bit) => [
    name,
    ifPresent(bit, () => parties[bytes.count()]!),
  ]);
  return {
    ...trace,
    ...Object.fromEntries(columns),
    action_id: id,
    parent_action_id: parent,
    type,
    ancestor_type: ancestors,
    success: (flags & 1) === 1,
    start_lt: `${startLt}`,
    end_lt: `${endLt}`,
    start_utime: `${startUtime}`,
    end_utime: `${endUtime}`,
    mc_seqno_end: seqno,
    tx_hashes: transactions,
    accounts,
    opcode: ifPresent(8, () => `${bytes.count()}`),
    value: ifPresent(9, () => `${bytes.signed()}`),
    amount: ifPresent(10, () => `${bytes.signed()}`),
    value_extra_currencies: ifPresent(11, () => readValue(bytes, parties)),
    data: ifPresent(12, () => readValue(bytes, parties)),
  } as ActionRow;
}

function readValue(bytes: Bytes, parties: readonly Buffer[]): unknown {
  const key = () => {
    const id = bytes.count();
    return id === 0 ? bytes.text() : DETAIL_KEYS.nameOf(id);
  };
  const kinds = [
    () => null,
    () => false,
    () => true,
    () => Number(bytes.signed()),
    () => `${bytes.signed()}`,
    () => fromAccountOrText(parties[bytes.count()]!),
    () => bytes.take(bytes.count()).toString('base64'),
    () => bytes.take(bytes.count()).toString('hex'),
    () => bytes.text(),
    () => bytes.list(() => readValue(bytes, parties)),
    () => Object.fromEntries(bytes.list(() => [key(), readValue(bytes, parties)])),
    () => JSON.parse(bytes.text()),
  ];
  return kinds[bytes.count()]!();
}

/** The rows by which a trace with these actions is found; `own` are the accounts with a transaction in it, in hex. */
export function lookupRowsOf(actions: readonly ActionRow[], own: ReadonlySet<string>) {
  const accounts = new Map(
    actions.flatMap((action) => action.accounts).map((account) => [account.toString('hex'), account]),
  );
  const types = [...new Set(actions.map(({ type }) => type))];
  return {
    types: maskOfTypes(types),
    accounts: [...accounts]
      .filter(([hex]) => hex.startsWith('ff') || !own.has(hex))
      .map(([, bytes]) => bytes),
    keys: [
      ...actions.slice(1).map((action) => hashPrefix(action.action_id)),
      ...types.filter((type) => !isCommonType(type)).map(typeKey),
    ],
  };
}

/** The end of a trace, as columns of `traces`. */
type TraceEnd = Pick<Selectable<TracesTable>, 'end_lt' | 'end_utime' | 'mc_seqno_end'>;

/** Writes the rows by which the actions of traces are found; rows that the index has stay. They list no transactions. */
export async function putTraces(
  db: Kysely<Tables>,
  traces: readonly (TraceEnd & { readonly traceId: Buffer })[],
): Promise<void> {
  const rows = await db.selectFrom('traces').select(['trace8', 'info']).execute();
  const known = new Set(rows.map((row) => traceIdOf(row).toString('hex')));
  const missing = traces.filter(({ traceId }) => !known.has(traceId.toString('hex')));
  if (missing.length === 0) return;
  const made = missing.map(({ traceId, ...end }) => ({
    ...end,
    trace8: `${hashPrefix(traceId)}`,
    mc_seqno_start: end.mc_seqno_end,
    nodes: 1,
    info: traceId.subarray(8),
  }));
  for (let i = 0; i < made.length; i += ROWS_PER_INSERT)
    await db
      .insertInto('traces')
      .values(made.slice(i, i + ROWS_PER_INSERT))
      .execute();
}

const ROWS_PER_INSERT = 1000;

/** Writes actions to the index, grouped by trace, and the traces that it does not have. */
export async function putActions(db: Kysely<Tables>, rows: readonly ActionRow[]): Promise<void> {
  const found = await db.selectFrom('trace_accounts').select(['acc8', 'trace8']).execute();
  const ownOf = Map.groupBy(found, ({ trace8 }) => trace8);
  const traces = [...Map.groupBy(rows, ({ trace_id }) => trace_id.toString('hex'))].map(([, actions]) => {
    const [{ trace_id, action_id, trace_end_lt, trace_end_utime, trace_mc_seqno_end }] = actions as [
      ActionRow,
    ];
    const prefixes = new Set(ownOf.get(`${hashPrefix(trace_id)}`)?.map(({ acc8 }) => BigInt(acc8)));
    const isOwn = (account: Buffer) =>
      account.length === ACCOUNT_BYTES && prefixes.has(accountPrefix(account));
    const accounts = actions.flatMap((action) => action.accounts).filter(isOwn);
    const own = new Set(accounts.map((account) => account.toString('hex')));
    const lookups = lookupRowsOf(actions, own);
    const place = [
      trace_end_lt,
      `${hashPrefix(trace_id)}`,
      trace_mc_seqno_end,
      storedTime(Number(trace_end_utime)),
    ] as const;
    const body = packActions(actions, lookups.accounts);
    return {
      ...lookups,
      traceId: trace_id,
      place,
      body,
      action8: `${hashPrefix(action_id)}`,
      slice: sliceOf(BigInt(trace_end_lt)),
    };
  });
  await putTraces(
    db,
    traces.map(({ traceId, place: [end_lt, , mc_seqno_end, end_utime] }) => ({
      traceId,
      end_lt,
      end_utime,
      mc_seqno_end,
    })),
  );
  const columns = (places: readonly (typeof traces)[number]['place'][]) => sql`
    ${places.map(([lt]) => lt)}::bigint[], ${places.map(([, trace8]) => trace8)}::bigint[],
    ${places.map(([, , seqno]) => seqno)}::int[], ${places.map(([, , , utime]) => utime)}::int[]`;
  await sql`
    insert into trace_actions (trace_end_lt, trace8, mc_seqno_end, trace_end_utime, action8, types, body)
    select * from unnest(${columns(traces.map(({ place }) => place))}, ${traces.map(({ action8 }) => action8)}::bigint[],
      ${traces.map(({ types }) => types)}::int[], ${traces.map(({ body }) => body)}::bytea[])`.execute(db);
  for (const [table, column, valuesOf] of [
    ['action_keys', 'key', ({ keys }: (typeof traces)[number]) => keys],
    ['action_accounts', 'acc8', ({ accounts }: (typeof traces)[number]) => accounts.map(accountPrefix)],
  ] as const) {
    const each = traces.flatMap((trace) => valuesOf(trace).map((value) => ({ value, place: trace.place })));
    await sql`
      insert into ${sql.table(table)} (trace_end_lt, trace8, mc_seqno_end, trace_end_utime, ${sql.ref(column)})
      select * from unnest(${columns(each.map(({ place }) => place))}, ${each.map(({ value }) => `${value}`)}::bigint[])`.execute(
      db,
    );
  }
  await sql`
    insert into action_slices select slice, bit_or(types) from unnest(${traces.map(({ slice }) => `${slice}`)}::bigint[],
      ${traces.map(({ types }) => types)}::int[]) as one (slice, types) group by 1
    on conflict (slice) do update set types = action_slices.types | excluded.types`.execute(db);
}

/** Removes all actions. */
export async function clearActions(db: Kysely<Tables>): Promise<void> {
  await sql`truncate trace_actions, action_keys, action_accounts, action_slices`.execute(db);
}

/** Changes stored actions; those for which `change` returns undefined are removed. */
export async function changeActions(
  db: Kysely<Tables>,
  change: (row: ActionRow) => ActionRow | undefined,
): Promise<void> {
  const rows = await readStoredActions(db);
  await clearActions(db);
  await putActions(
    db,
    rows.flatMap((row) => change(row) ?? []),
  );
}
