import { zstdCompressSync } from 'node:zlib';
import type { Selectable } from 'kysely';
import { ACCOUNT_BYTES, fromAccountOrText, toAccountOrText } from '../../chain/address.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { unpackZstd } from '../../lib/zstd.ts';
import { type ActionRow, PARTY_COLUMNS, type StoredGroups, type StoredValue } from '../action-row.ts';
import { ACTION_TYPES } from './action-names.ts';
import { packValue, unpackValue } from './action-values.ts';
import { joinHash, unixTime } from './position.ts';
import { Numbers, PackedReader, PackedWriter } from './varints.ts';

// The actions of a trace, packed. Hashes, accounts and texts stand in tables, each once, and are referred to by their
// numbers. What the columns of the row have is not repeated.
//   format:uint8 (the rest is compressed if it is 1)
//   24 bytes: the trace id without its prefix (hash 0)      24 bytes: the id of the first action without its prefix (hash 1)
//   further hashes: count, 32 bytes each
//   accounts: count of those in the basechain, 32 bytes each, then count of all others, 33 bytes each
//   texts: count, (length, UTF-8) each; their numbers follow those of the accounts
//   external hash of the trace, its normalized hash: number + 1 each, or 0
//   accounts that have a row in action_accounts: count, numbers
//   actions: count, each: type (id, or 0 and the name), flags, ancestor types, id, parent, times as differences to those of
//     the trace, transactions, accounts, then a block with what only an answer needs

/** What the columns of a stored trace say about all of its actions. */
export interface TraceHead {
  /** The prefixes of the trace id and of the id of its first action. */
  readonly trace8: bigint;
  readonly action8: bigint;
  readonly mcSeqnoEnd: number;
  readonly endLt: bigint;
  readonly endUtime: number;
}

/** The columns of a stored trace, with numbers as pg reads them. */
export type TraceHeadRow = Omit<Selectable<Tables['trace_actions']>, 'types' | 'body'>;

export function toTraceHead(row: TraceHeadRow): TraceHead {
  return {
    trace8: BigInt(row.trace8),
    action8: BigInt(row.action8),
    mcSeqnoEnd: row.mc_seqno_end,
    endLt: BigInt(row.trace_end_lt),
    endUtime: unixTime(row.trace_end_utime),
  };
}

const HASH_BYTES = 32;
const PREFIX_BYTES = 8;
const PLAIN = 0;
const ZSTD = 1;
/** Smaller bodies are mostly hashes: of 66 mainnet traces with 0.5 to 2 kB, compression made two thirds larger. */
const COMPRESSED_FROM_BYTES = 2048;

const SUCCESS = 1;
const HAS_PARENT = 2;
const HAS_ANCESTORS = 4;

const OPCODE = 1 << 8;
const VALUE = 1 << 9;
const AMOUNT = 1 << 10;
const CURRENCIES = 1 << 11;
const DATA = 1 << 12;

/** Packs all actions of a trace; at least one. `listed` are the accounts that have a row in action_accounts. */
export function packActions(actions: readonly ActionRow[], listed: readonly Buffer[]): Buffer {
  const [first] = actions;
  const hashes = new Numbers(first!.trace_id, first!.action_id);
  const parties = new Parties();
  for (const account of listed) parties.add(account);
  for (const action of actions) {
    for (const account of action.accounts) parties.add(account);
    for (const column of PARTY_COLUMNS) if (action[column] !== null) parties.add(action[column]);
    if (action.data !== null) parties.addAddressesIn(action.data);
  }
  parties.number();
  const body = new PackedWriter();
  body.uint(actions.length);
  for (const action of actions) packAction(body, action, hashes, parties);
  const { trace_external_hash: external, trace_external_hash_norm: norm } = first!;
  const externalNumbers = [external, norm].map((hash) => (hash === null ? 0 : hashes.of(hash) + 1));

  const head = new PackedWriter();
  head.raw(first!.trace_id.subarray(PREFIX_BYTES));
  head.raw(first!.action_id.subarray(PREFIX_BYTES));
  const further = hashes.all.slice(2);
  head.uint(further.length);
  for (const hash of further) head.raw(hash);
  parties.write(head);
  for (const number of externalNumbers) head.uint(number);
  head.uint(listed.length);
  for (const account of listed) head.uint(parties.of(account));
  return compressed(Buffer.concat([head.bytes(), body.bytes()]));
}

function compressed(plain: Buffer): Buffer {
  if (plain.length >= COMPRESSED_FROM_BYTES) {
    const small = zstdCompressSync(plain);
    if (small.length < plain.length) return Buffer.concat([Buffer.of(ZSTD), small]);
  }
  return Buffer.concat([Buffer.of(PLAIN), plain]);
}

function packAction(writer: PackedWriter, action: ActionRow, hashes: Numbers, parties: Parties): void {
  const { parent_action_id: parent, ancestor_type: ancestors } = action;
  packType(writer, action.type);
  writer.uint8(
    (action.success ? SUCCESS : 0) |
      (parent === null ? 0 : HAS_PARENT) |
      (ancestors.length === 0 ? 0 : HAS_ANCESTORS),
  );
  if (ancestors.length > 0) {
    writer.uint(ancestors.length);
    for (const type of ancestors) packType(writer, type);
  }
  writer.uint(hashes.of(action.action_id));
  if (parent !== null) writer.uint(hashes.of(parent));
  writer.int(BigInt(action.trace_end_lt) - BigInt(action.end_lt));
  writer.int(BigInt(action.end_lt) - BigInt(action.start_lt));
  writer.int(BigInt(action.trace_end_utime) - BigInt(action.end_utime));
  writer.int(BigInt(action.end_utime) - BigInt(action.start_utime));
  writer.int(BigInt(action.trace_mc_seqno_end - action.mc_seqno_end));
  writer.uint(action.tx_hashes.length);
  for (const hash of action.tx_hashes) writer.uint(hashes.of(hash));
  writer.uint(action.accounts.length);
  for (const account of action.accounts) writer.uint(parties.of(account));
  writer.block(packDetails(action, parties));
}

function packType(writer: PackedWriter, type: string): void {
  const id = ACTION_TYPES.idOf(type);
  writer.uint(id);
  if (id === 0) writer.text(type);
}

function packDetails(action: ActionRow, parties: Parties): Buffer {
  const { opcode, value, amount, value_extra_currencies: currencies, data } = action;
  const writer = new PackedWriter();
  let present = 0;
  for (const [bit, column] of PARTY_COLUMNS.entries()) if (action[column] !== null) present |= 1 << bit;
  if (opcode !== null) present |= OPCODE;
  if (value !== null) present |= VALUE;
  if (amount !== null) present |= AMOUNT;
  if (currencies !== null) present |= CURRENCIES;
  if (data !== null) present |= DATA;
  writer.uint(present);
  for (const column of PARTY_COLUMNS) if (action[column] !== null) writer.uint(parties.of(action[column]));
  if (opcode !== null) writer.uint(Number(opcode));
  for (const number of [value, amount]) if (number !== null) writer.int(BigInt(number));
  for (const object of [currencies, data]) if (object !== null) packValue(writer, object, parties);
  return writer.bytes();
}

/** The table of accounts and texts: all are added, then numbered, so that accounts of one kind stand together. */
class Parties {
  readonly #added = new Map<HashKey, Buffer>();
  readonly #numbers = new Map<HashKey, number>();
  #groups: readonly (readonly Buffer[])[] = [];

  add(party: Buffer): void {
    this.#added.set(bytesKey(party), party);
  }

  addAddressesIn(value: StoredValue): void {
    if (typeof value === 'string') {
      const account = accountIn(value);
      if (account !== undefined) this.add(account);
    } else if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) this.addAddressesIn(each);
  }

  number(): void {
    const all = [...this.#added.values()];
    const isAccount = ({ length }: Buffer) => length === ACCOUNT_BYTES;
    this.#groups = [
      all.filter((party) => isAccount(party) && party[0] === 0),
      all.filter((party) => isAccount(party) && party[0] !== 0),
      all.filter((party) => !isAccount(party)),
    ];
    for (const [number, party] of this.#groups.flat().entries()) this.#numbers.set(bytesKey(party), number);
  }

  of(party: Buffer): number {
    return this.#numbers.get(bytesKey(party))!;
  }

  readonly numberOf = (text: string): number | undefined => {
    const account = accountIn(text);
    return account && this.of(account);
  };

  write(writer: PackedWriter): void {
    const [basechain, others, texts] = this.#groups;
    writer.uint(basechain!.length);
    for (const account of basechain!) writer.raw(account.subarray(1));
    writer.uint(others!.length);
    for (const account of others!) writer.raw(account);
    writer.uint(texts!.length);
    for (const text of texts!) writer.block(text);
  }
}

/** The account of a raw address, written as the index writes it; undefined for any other text. */
function accountIn(text: string): Buffer | undefined {
  if (!text.includes(':')) return undefined;
  const bytes = toAccountOrText(text);
  return bytes.length === ACCOUNT_BYTES && fromAccountOrText(bytes) === text ? bytes : undefined;
}

/** An action of an open trace: what lists are filtered and ordered by, and on demand the rest. */
export interface PackedAction {
  readonly id: Buffer;
  readonly type: string;
  readonly ancestors: readonly string[];
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly endUtime: number;
  readonly transactions: readonly Buffer[];
  readonly accounts: readonly Buffer[];
  row(): ActionRow;
}

/** The actions of a trace, unpacked as far as lists need it. */
export interface OpenActions {
  readonly traceId: Buffer;
  /** The accounts that have a row in action_accounts. */
  readonly listed: readonly Buffer[];
  /** In the order in which they were packed. */
  readonly actions: readonly PackedAction[];
}

export function openActions(head: TraceHead, body: Buffer): OpenActions {
  const plain = body[0] === ZSTD ? unpackZstd(body.subarray(1)) : body.subarray(1);
  const reader = new PackedReader(plain);
  const hashes = [head.trace8, head.action8].map((prefix) =>
    joinHash(prefix, reader.raw(HASH_BYTES - PREFIX_BYTES)),
  );
  const further = reader.uint();
  for (let i = 0; i < further; i++) hashes.push(reader.raw(HASH_BYTES));
  const parties = readParties(reader);
  const [external, norm] = [reader.uint(), reader.uint()];
  const listed = reader.list(() => parties[reader.uint()]!);
  const trace = {
    trace_id: hashes[0]!,
    trace_mc_seqno_end: head.mcSeqnoEnd,
    trace_end_lt: String(head.endLt),
    trace_end_utime: String(head.endUtime),
    trace_external_hash: external === 0 ? null : hashes[external - 1]!,
    trace_external_hash_norm: norm === 0 ? null : hashes[norm - 1]!,
  };
  const actions = reader.list(() => readAction(reader, { head, trace, hashes, parties }));
  return { traceId: trace.trace_id, listed, actions };
}

function readParties(reader: PackedReader): Buffer[] {
  const parties: Buffer[] = [];
  const basechain = reader.uint();
  for (let i = 0; i < basechain; i++) {
    const account = Buffer.allocUnsafe(ACCOUNT_BYTES);
    account[0] = 0;
    account.set(reader.raw(HASH_BYTES), 1);
    parties.push(account);
  }
  const others = reader.uint();
  for (let i = 0; i < others; i++) parties.push(reader.raw(ACCOUNT_BYTES));
  return parties.concat(reader.list(() => reader.block()));
}

type TraceColumns = Pick<
  ActionRow,
  | 'trace_id'
  | 'trace_mc_seqno_end'
  | 'trace_end_lt'
  | 'trace_end_utime'
  | 'trace_external_hash'
  | 'trace_external_hash_norm'
>;

interface ReadContext {
  readonly head: TraceHead;
  readonly trace: TraceColumns;
  readonly hashes: readonly Buffer[];
  readonly parties: readonly Buffer[];
}

function readAction(reader: PackedReader, { head, trace, hashes, parties }: ReadContext): PackedAction {
  const hash = () => hashes[reader.uint()]!;
  const type = readType(reader);
  const flags = reader.uint8();
  const ancestors = (flags & HAS_ANCESTORS) === 0 ? [] : reader.list(() => readType(reader));
  const id = hash();
  const parent = (flags & HAS_PARENT) === 0 ? null : hash();
  const endLt = head.endLt - reader.int();
  const startLt = endLt - reader.int();
  const endUtime = head.endUtime - Number(reader.int());
  const startUtime = endUtime - Number(reader.int());
  const seqno = head.mcSeqnoEnd - Number(reader.int());
  const transactions = reader.list(hash);
  const accounts = reader.list(() => parties[reader.uint()]!);
  const details = reader.block();
  return {
    id,
    type,
    ancestors,
    startLt,
    endLt,
    endUtime,
    transactions,
    accounts,
    row: () => ({
      ...trace,
      action_id: id,
      parent_action_id: parent,
      type,
      ancestor_type: ancestors,
      success: (flags & SUCCESS) !== 0,
      start_lt: String(startLt),
      end_lt: String(endLt),
      start_utime: String(startUtime),
      end_utime: String(endUtime),
      mc_seqno_end: seqno,
      tx_hashes: transactions,
      accounts,
      ...readDetails(new PackedReader(details), parties),
    }),
  };
}

function readType(reader: PackedReader): string {
  const id = reader.uint();
  return id === 0 ? reader.text() : ACTION_TYPES.nameOf(id);
}

type DetailColumns = Pick<
  ActionRow,
  (typeof PARTY_COLUMNS)[number] | 'opcode' | 'value' | 'amount' | 'value_extra_currencies' | 'data'
>;

function readDetails(reader: PackedReader, parties: readonly Buffer[]): DetailColumns {
  const present = reader.uint();
  const party = (at: number) => ((present & (1 << at)) === 0 ? null : parties[reader.uint()]!);
  const ifPresent = <T>(bit: number, read: () => T): T | null => ((present & bit) === 0 ? null : read());
  const object = () => unpackValue(reader, (number) => fromAccountOrText(parties[number]!));
  return {
    source: party(0),
    source_secondary: party(1),
    destination: party(2),
    destination_secondary: party(3),
    asset: party(4),
    asset_secondary: party(5),
    asset2: party(6),
    asset2_secondary: party(7),
    opcode: ifPresent(OPCODE, () => String(reader.uint())),
    value: ifPresent(VALUE, () => String(reader.int())),
    amount: ifPresent(AMOUNT, () => String(reader.int())),
    value_extra_currencies: ifPresent(CURRENCIES, object) as Readonly<Record<string, string>> | null,
    data: ifPresent(DATA, object) as StoredGroups | null,
  };
}
