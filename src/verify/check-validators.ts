import { type Cell, Dictionary, loadTransactionDescription, type Slice } from '@ton/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/tables/tables.ts';
import { type ChainMessage, readActiveState } from './chain-block.ts';
import type { ChainSeqno } from './chain-reader.ts';
import { accountAt, type SeqnoContext } from './check-context.ts';
import { accountBytes, bytesOf, entries, MASTERCHAIN, readBytes } from './core-readers.ts';
import { keyOf, type Row, rowsByKey } from './differences.ts';
import type { PlacedTransaction } from './expected-rows.ts';

/**
 * Compares what a seqno shows about validators: events, at a key block sets, elections and complaints, and complaints
 * where a message was about one.
 */
export async function checkValidators(context: SeqnoContext): Promise<void> {
  const { db, findings, mcSeqno, elector, masterchain, placed } = context;
  if (elector === undefined) return;
  const account = accountBytes(MASTERCHAIN, elector);
  const events = placed.flatMap((one): Row[] => {
    const event = expectedEvent(mcSeqno, one, account);
    return event === undefined ? [] : [event];
  });
  const rows = await rowsIn(db, sql`validator_events where mc_seqno = ${mcSeqno}`);
  findings.compare('validator_events', rowsByKey(events, ['tx_hash']), rowsByKey(rows, ['tx_hash']));
  const sets = masterchain.config === undefined ? [] : readSetRows(masterchain.config);
  const complaintsOf = hasNewData(context, elector) ? complaintElections(placed, account) : new Set<number>();
  if (masterchain.config === undefined && complaintsOf.size === 0) return;
  const missing = await rowsIn(db, sql`missing_elector_states where mc_seqno = ${mcSeqno}`);
  const state = missing.length > 0 ? undefined : await readElector(context, elector);
  await checkCycles(context, sets, state);
  if (state === undefined) return;
  const { election } = state;
  if (election !== undefined) {
    await checkShown(context, 'validator_elections', ['election_id'], [election.row]);
    const keys = ['election_id', 'pubkey', 'holder'];
    await checkShown(context, 'validator_election_participants', keys, election.participants);
  }
  const judged = sets.filter(({ param }) => param !== NEXT_SET).map(({ row }) => row.set_hash);
  const complaints = state.past
    .filter(({ id, setHash }) => complaintsOf.has(id) || judged.some((hash) => hash.equals(setHash)))
    .flatMap(({ id, complaints }) => complaints.map((row) => ({ election_id: id, ...row })));
  await checkShown(context, 'validator_complaints', ['election_id', 'hash'], complaints);
}

const NEXT_SET = 36;

/** Whether a block changed the data of the elector; true where it does not show the state before. */
function hasNewData({ masterchain }: ChainSeqno, elector: Buffer): boolean {
  const key = elector.toString('hex');
  const [before, after] = [masterchain.before.get(key), masterchain.after.get(key)];
  if (after === undefined) return false;
  return !before?.dataHash || !after.dataHash?.equals(before.dataHash);
}

/** Bits between opcode and election id of complaints and of votes. */
const COMPLAINT_MESSAGES: ReadonlyMap<number, number> = new Map([
  [0x52674370, 64],
  [0x56744370, 64 + 512 + 32 + 16],
]);

/** The elections of complaints that messages to the elector are about. */
function complaintElections(placed: readonly PlacedTransaction[], elector: Buffer): Set<number> {
  const elections = new Set<number>();
  for (const { account, transaction } of placed) {
    const body = transaction.inMessage?.body;
    if (!account.equals(elector) || body === undefined || body.isExotic || body.bits.length < 32) continue;
    const slice = body.beginParse();
    const bits = COMPLAINT_MESSAGES.get(slice.loadUint(32));
    if (bits !== undefined && slice.remainingBits >= bits + 32) elections.add(slice.skip(bits).loadUint(32));
  }
  return elections;
}

async function rowsIn(db: Db, from: RawBuilder<unknown>): Promise<Row[]> {
  return (await sql<Row>`select * from ${from}`.execute(db)).rows;
}

const NEW_STAKE = 0x4e73744b;
const RECOVER = 0x47657424;
const OUTCOMES: ReadonlyMap<number, string> = new Map([
  [0xf96f7324, 'stake_recovered'],
  [0xfffffffe, 'recover_failed'],
]);
const STAKE_FEE = 10n ** 9n;

function expectedEvent(
  mcSeqno: number,
  { account, transaction }: PlacedTransaction,
  elector: Buffer,
): Row | undefined {
  const { inMessage, outMessages } = transaction;
  if (inMessage?.kind !== 'internal' || inMessage.source === null) return undefined;
  const { body, source, value } = inMessage;
  if (body.isExotic || body.bits.length < 32 + 64) return undefined;
  const slice = body.beginParse();
  const opcode = slice.loadUint(32);
  const common = {
    tx_hash: transaction.hash,
    lt: transaction.lt,
    utime: transaction.now,
    mc_seqno: mcSeqno,
    pubkey: null,
    adnl: null,
    election_id: null,
    query_id: slice.loadUintBig(64),
    amount: value,
    reason: null,
  };
  const outcome = OUTCOMES.get(opcode);
  const isToElector = account.equals(elector) && (opcode === NEW_STAKE || opcode === RECOVER);
  if (!isToElector && (outcome === undefined || !source.equals(elector))) return undefined;
  if (!hasSucceeded(transaction.description)) return undefined;
  if (!isToElector) return { ...common, type: outcome, holder: account };
  if (opcode === RECOVER) return { ...common, type: 'recover_requested', holder: source };
  if (slice.remainingBits < 256 + 32 + 32 + 256) return undefined;
  const [pubkey, election_id] = [readBytes(slice), slice.loadUint(32)];
  slice.skip(32);
  const stake = { ...common, holder: source, pubkey, election_id, adnl: readBytes(slice) };
  const accepted = { ...stake, type: 'stake_accepted', amount: value! < STAKE_FEE ? 0n : value! - STAKE_FEE };
  for (const message of outMessages) {
    const answer = readAnswer(message, common.query_id);
    if (answer === 'accepted') return accepted;
    if (answer !== undefined) return { ...stake, type: 'stake_rejected', ...answer };
  }
  return common.query_id === 0n ? accepted : undefined;
}

function hasSucceeded(description: Cell): boolean {
  const read = loadTransactionDescription(description.beginParse());
  if (read.type !== 'generic' || read.aborted) return false;
  return read.computePhase.type === 'vm' && read.computePhase.success;
}

/** What the elector answered to a query about a new stake. */
function readAnswer({ kind, body, value }: ChainMessage, queryId: bigint): 'accepted' | Row | undefined {
  if (kind !== 'internal' || body.isExotic || body.bits.length < 32 + 64) return undefined;
  const slice = body.beginParse();
  const opcode = slice.loadUint(32);
  if (slice.loadUintBig(64) !== queryId) return undefined;
  if (opcode === 0xf374484c) return 'accepted';
  if (opcode !== 0xee6f454c) return undefined;
  return { amount: value, reason: slice.remainingBits < 32 ? null : slice.loadInt(32) };
}

/** Reads the elector after a block; undefined if the lite servers no longer have it, or it has another layout. */
async function readElector(context: SeqnoContext, elector: Buffer): Promise<ElectorRows | undefined> {
  const reason = 'the state of the elector is not to be had';
  const account = await accountAt(
    context,
    context.masterchain.id,
    accountBytes(MASTERCHAIN, elector),
    reason,
  );
  if (account === undefined || account === 'missing') return undefined;
  const data = readActiveState(account.cell)?.data;
  return data ? readElectorRows(data) : undefined;
}

/** Compares validator sets with their members. Stakes may be greater than the elector shows, because of fines. */
async function checkCycles(
  { db, findings, mcSeqno }: SeqnoContext,
  sets: readonly SetRows[],
  state: ElectorRows | undefined,
): Promise<void> {
  const starts = sets.map(({ row }) => row.cycle_start);
  const isOfBlock = sql`cycle_start = any(${starts}::bigint[]) or source_seqno = ${mcSeqno}`;
  const cycles = rowsByKey(await rowsIn(db, sql`validator_cycles where ${isOfBlock}`), ['cycle_start']);
  for (const { row, members } of sets) {
    const key = keyOf(row, ['cycle_start']);
    const cycle = cycles.get(key);
    cycles.delete(key);
    const isReplaced = cycle !== undefined && !row.set_hash.equals(cycle.set_hash as Buffer);
    if (isReplaced && Number(cycle.source_seqno) > mcSeqno) continue;
    const past = state?.past.find(({ setHash }) => setHash.equals(row.set_hash));
    const election = past && { election_id: past.id };
    const stake = past && { total_stake: atLeast(past.totalStake, cycle?.total_stake) };
    findings.compareRow('validator_cycles', key, { ...row, ...election, ...stake }, cycle);
    const stored = rowsByKey(
      await rowsIn(db, sql`validator_cycle_members where cycle_start = ${row.cycle_start}`),
      ['cycle_start', 'index'],
    );
    const expected = members.map((member) => {
      const own = stored.get(`${row.cycle_start} ${member.index}`);
      const taken = past?.stakes.get(member.pubkey.toString('hex'));
      const stake = taken !== undefined && { stake: atLeast(taken, own?.stake) };
      return { cycle_start: row.cycle_start, ...member, ...stake };
    });
    findings.compare('validator_cycle_members', rowsByKey(expected, ['cycle_start', 'index']), stored);
  }
  for (const key of cycles.keys()) findings.addSurplus('validator_cycles', key);
}

/** What a column must have that keeps the greatest value: what it has, unless that is less. */
function atLeast(shown: bigint, stored: unknown): bigint {
  const amount = typeof stored === 'string' ? BigInt(stored) : 0n;
  return amount > shown ? amount : shown;
}

/** Compares rows that a state shows; later blocks may have shown something else. */
async function checkShown(
  { db, findings, mcSeqno }: SeqnoContext,
  table: 'validator_elections' | 'validator_election_participants' | 'validator_complaints',
  keys: readonly string[],
  expected: readonly Row[],
): Promise<void> {
  if (expected.length === 0) return;
  const elections = [...new Set(expected.map(({ election_id }) => election_id))];
  const rows = await rowsIn(db, sql`${sql.table(table)} where election_id = any(${elections}::bigint[])`);
  const stored = rowsByKey(rows, keys);
  for (const row of expected) {
    const key = keyOf(row, keys);
    const other = stored.get(key);
    const isLater = other !== undefined && Number(other.source_seqno) > mcSeqno;
    findings.compareRow(table, key, isLater ? {} : row, other);
  }
}

interface ElectorRows {
  readonly election: { readonly row: Row; readonly participants: readonly Row[] } | undefined;
  readonly past: readonly PastRows[];
}

interface PastRows {
  readonly id: number;
  readonly setHash: Buffer;
  readonly totalStake: bigint;
  /** By public key in hex. */
  readonly stakes: ReadonlyMap<string, bigint>;
  readonly complaints: readonly Row[];
}

/** Reads the data of an elector; undefined if they are laid out in another way. */
function readElectorRows(data: Cell): ElectorRows | undefined {
  try {
    const slice = data.beginParse();
    const elect = slice.loadMaybeRef();
    slice.loadMaybeRef();
    const past = entries(slice.loadMaybeRef(), 32, readPast);
    slice.loadCoins();
    slice.skip(32 + 256);
    slice.endParse();
    return {
      election: elect === null ? undefined : readElection(elect.beginParse()),
      past: past.map(([id, one]) => ({ id: Number(id), ...one })),
    };
  } catch {
    return undefined;
  }
}

function readElection(slice: Slice): ElectorRows['election'] {
  const election_id = slice.loadUint(32);
  const head = {
    elect_close: slice.loadUint(32),
    min_stake: slice.loadCoins(),
    total_stake: slice.loadCoins(),
  };
  const members = entries(slice.loadMaybeRef(), 256, (member) => {
    const stake = member.loadCoins();
    member.skip(32);
    return {
      stake,
      max_factor: member.loadUint(32),
      holder: accountBytes(MASTERCHAIN, readBytes(member)),
      adnl: readBytes(member),
    };
  });
  const [failed, finished] = [slice.loadBit(), slice.loadBit()];
  if (election_id === 0) return undefined;
  return {
    row: { election_id, ...head, failed, finished },
    participants: members.map(([key, member]) => ({ election_id, pubkey: bytesOf(key), ...member })),
  };
}

function readPast(slice: Slice): Omit<PastRows, 'id'> {
  slice.skip(32 + 32);
  const setHash = readBytes(slice);
  const frozen = entries(slice.loadMaybeRef(), 256, (stake) => {
    stake.skip(256 + 64);
    return stake.loadCoins();
  });
  const totalStake = slice.loadCoins();
  slice.loadCoins();
  const complaints = entries(slice.loadMaybeRef(), 256, readComplaint);
  return {
    setHash,
    totalStake,
    stakes: new Map(frozen.map(([key, stake]) => [bytesOf(key).toString('hex'), stake])),
    complaints: complaints.map(([key, complaint]) => ({ hash: bytesOf(key), ...complaint })),
  };
}

function readComplaint(status: Slice): Row {
  status.skip(8);
  const slice = status.loadRef().beginParse();
  const voters = entries(status.loadMaybeRef(), 16, () => true).map(([index]) => Number(index));
  slice.skip(8);
  const pubkey = readBytes(slice);
  slice.loadRef();
  return {
    pubkey,
    created_at: slice.loadUint(32),
    severity: slice.loadUint(8),
    reward: accountBytes(MASTERCHAIN, readBytes(slice)),
    paid: slice.loadCoins(),
    suggested_fine: slice.loadCoins(),
    suggested_fine_part: slice.loadUint(32),
    voters: voters.sort((a, b) => a - b),
    set_hash: readBytes(status),
    weight_remaining: status.loadIntBig(64),
  };
}

interface SetRows {
  readonly param: number;
  readonly row: Row & { readonly cycle_start: number; readonly set_hash: Buffer };
  readonly members: readonly (Row & { readonly pubkey: Buffer })[];
}

/** Reads the validator sets of a configuration: the current, the next and the previous one. */
function readSetRows(config: Cell): SetRows[] {
  const params = Dictionary.loadDirect(
    Dictionary.Keys.Int(32),
    Dictionary.Values.Cell(),
    config.beginParse(),
  );
  const sets = new Map<number, SetRows>();
  for (const param of [34, 36, 32]) {
    const cell = params.get(param);
    const set = cell && readSet(cell);
    if (set !== undefined && !sets.has(set.row.cycle_start)) sets.set(set.row.cycle_start, { param, ...set });
  }
  return [...sets.values()];
}

function readSet(cell: Cell): Omit<SetRows, 'param'> {
  const slice = cell.beginParse();
  const hasWeight = slice.loadUint(8) === 0x12;
  const times = { cycle_start: slice.loadUint(32), cycle_end: slice.loadUint(32) };
  const counts = { total: slice.loadUint(16), main: slice.loadUint(16) };
  if (hasWeight) slice.skip(64 + 1);
  const list = hasWeight ? slice.loadRef() : slice;
  const members = entries(list, 16, (value) => {
    const hasAddress = value.loadUint(8) === 0x73;
    value.skip(32);
    const [pubkey, weight] = [readBytes(value), value.loadUintBig(64)];
    return { pubkey, weight, adnl: hasAddress ? readBytes(value) : Buffer.alloc(32) };
  });
  const total_weight = members.reduce((sum, [, { weight }]) => sum + weight, 0n);
  return {
    row: { ...times, ...counts, total_weight, set_hash: cell.hash() },
    members: members.map(([index, member]) => ({ index: Number(index), ...member })),
  };
}
