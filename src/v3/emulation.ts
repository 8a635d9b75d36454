import type { Static } from 'typebox';
import Type from 'typebox';
import { writeBoc } from '../chain/boc/writer.ts';
import type { TokenInfoRow } from '../db/queries/token-metadata.ts';
import type { TransactionDetails } from '../db/queries/transaction-details.ts';
import type { ParameterValues } from '../http/operation.ts';
import { PlainText, Written, written } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import type { EmulationContext } from '../live/emulation.ts';
import type { TraceEmulator } from '../pending/emulate.ts';
import type { EmulationBudget } from '../pending/emulation-budget.ts';
import type { EmulatedTrace, PendingClassification } from '../pending/pending-traces.ts';
import type { Classify } from '../pending/predict.ts';
import {
  byEndDescending,
  createActionWriter,
  filterKnownActions,
  toUnindexedAction,
  tracedActionSchema,
} from './actions/action-json.ts';
import { expandActionTypes } from './actions/supported-types.ts';
import { addressBookEntrySchema, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { type MetadataEntry, metadataEntrySchema } from './metadata.ts';
import { booleanParam, int32Kind } from './parameter-kinds.ts';
import { scalarParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { buildTraceTree, traceNodeSchema, writeTraceTree } from './traces.ts';
import { accountsOfTransactions, toUnindexedTransaction, transactionSchema } from './transaction-json.ts';
import {
  accountBytesOf,
  accountRow,
  sortByLt,
  transactionRow,
  type UnindexedState,
} from './unindexed-rows.ts';
import { formatAccount, formatHash, MapOf } from './values.ts';

/** The state in which an emulation leaves an account: a ShardAccount as a bag of cells. */
interface FinalState {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly boc: Uint8Array;
}

/** All that says what a message would do. */
export interface EmulationPort {
  readonly context: EmulationContext;
  readonly emulator: Pick<TraceEmulator, 'emulate'>;
  readonly classify: Classify;
  /** What accounts are in the world of tokens, by their ShardAccounts at a time in unix seconds. Never throws. */
  readonly tokens: (
    states: readonly FinalState[],
    utime: number,
    signal: AbortSignal,
  ) => Promise<readonly TokenInfoRow[]>;
  readonly budget: EmulationBudget;
}

/** One call of an operation that emulates. */
export interface EmulateCall extends V3Call {
  readonly emulation: EmulationPort;
  /** When the answer has to be there, on the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Aborted at that time, and when the client has gone. */
  readonly signal: AbortSignal;
  /** Milliseconds that the virtual machine may work for the caller. */
  readonly maxVmMs: number;
  /** Has the caller pay for time of a processor. */
  readonly charge: (ms: number) => void;
}

/** The parameters of both operations: what is shown, and of which block the chain is taken. */
export function viewParams() {
  const flag = (description: string) => booleanParam({ description, fallback: false });
  return {
    with_actions: flag('Tell the actions.'),
    include_code_data: flag('Give the code and the data of the accounts.'),
    include_address_book: flag('Tell about the addresses.'),
    include_metadata: flag('Tell about the tokens among them.'),
    mc_block_seqno: scalarParam(seqnoKind, {
      description: 'The masterchain block from which on to emulate; the newest when left out.',
    }),
  };
}

/** What a request said of the answer that it wants. */
type EmulateView = ParameterValues<ReturnType<typeof viewParams>>;

const seqnoKind = {
  ...int32Kind,
  schema: Type.Integer({ minimum: 0 }),
  convert: (text: string) => {
    const seqno = int32Kind.convert(text);
    return seqno !== undefined && seqno >= 0 ? seqno : undefined;
  },
};

/** What is to be emulated. */
interface EmulationRequest {
  /** A message from outside as a bag of cells. */
  readonly message: Uint8Array;
  /** Every signature check succeeds. */
  readonly ignoreSignature: boolean;
  /** The masterchain block from which on. */
  readonly seqno: number | undefined;
}

/** What is left of the time of a request for what comes after the emulation: actions, and what is said of addresses. */
const RESERVED_MS = 500;

/** Emulates a message at the expense of the caller. A message that the account does not take is a failure. */
export async function runEmulation(call: EmulateCall, question: EmulationRequest): Promise<EmulatedTrace> {
  const { emulation, caller, signal } = call;
  const leftMs = call.deadlineMs - RESERVED_MS - performance.now();
  const budgetMs = Math.max(1, Math.min(call.maxVmMs, leftMs));
  const outcome = await emulation.emulator.emulate({ ...question, group: caller.group, budgetMs, signal });
  call.charge(outcome.vmSeconds * 1000);
  if ('transactions' in outcome) return outcome;
  const { exitCode, text } = outcome;
  throw new Failure('lite_server', exitCode === undefined ? text : `${text} (exit code ${exitCode})`);
}

/** What happens in a trace that was emulated. */
async function classifyEmulated(
  { emulation, signal }: EmulateCall,
  { externalHash, normalizedHash, mcSeqno, transactions }: EmulatedTrace,
): Promise<PendingClassification> {
  const classification = await emulation.classify(
    {
      externalHash,
      normalizedHash,
      transactions: transactions.map(({ account, boc, after }) => ({ account, boc, after, mcSeqno })),
    },
    signal,
  );
  signal.throwIfAborted();
  if (classification.state === 'unclassified')
    throw new Failure('lite_server', 'the actions of the trace could not be told');
  return classification;
}

const cellsSchema = MapOf(PlainText({ description: 'A bag of cells.' }));

/** What a message would do. */
export const emulationSchema = Type.Object({
  mc_block_seqno: Type.Integer({ description: 'The masterchain block from which on it was emulated.' }),
  trace: Written(traceNodeSchema),
  transactions: MapOf(transactionSchema),
  actions: Type.Optional(Type.Array(tracedActionSchema, { description: 'Where they were asked for.' })),
  code_cells: Type.Optional(cellsSchema),
  data_cells: Type.Optional(cellsSchema),
  address_book: Type.Optional(MapOf(addressBookEntrySchema)),
  metadata: Type.Optional(MapOf(metadataEntrySchema)),
  rand_seed: PlainText(),
  is_incomplete: Type.Boolean({ description: 'True when messages are left that were not delivered.' }),
});

type Emulation = Static<typeof emulationSchema>;

/** Writes what an emulation gave, for a caller who knows the actions of a version. */
export async function toEmulationJson(
  call: EmulateCall,
  trace: EmulatedTrace,
  { version, ...view }: EmulateView & { readonly version: string },
): Promise<Emulation> {
  const { externalHash, normalizedHash, mcSeqno, randSeed, bound } = trace;
  const standing = { externalHash, normalizedHash, finality: 'pending' } as const;
  const startMs = performance.now();
  const { rows, states } = emulatedRows(trace, call.ports.networkVersion());
  const shown = rows.map((row) =>
    toUnindexedTransaction(row, { ...standing, hasTraceId: false, emulated: true }, call.bodies),
  );
  const cells = view.include_code_data && {
    code_cells: bocsByHash(states, 'code'),
    data_cells: bocsByHash(states, 'data'),
  };
  // States may be large, and to read them is work of this very thread.
  call.charge(performance.now() - startMs);
  const writer = createActionWriter(call);
  const rowsOfActions = view.with_actions ? (await classifyEmulated(call, trace)).actions : undefined;
  const actions =
    rowsOfActions &&
    filterKnownActions(rowsOfActions, expandActionTypes([version]))
      .sort(byEndDescending)
      .map((row) => toUnindexedAction(writer, { ...standing, traceId: undefined }, row));
  return {
    mc_block_seqno: mcSeqno,
    trace: written(writeTraceTree(buildTraceTree(rows).root!)),
    transactions: Object.fromEntries(shown.map((transaction) => [transaction.hash, transaction])),
    ...(actions && { actions }),
    ...cells,
    ...(await loadAddressInfo(call, trace, view, () => [
      ...accountsOfTransactions(rows),
      ...writer.accounts,
    ])),
    rand_seed: randSeed.toString('base64'),
    is_incomplete: bound !== undefined,
  };
}

/** What is known of the addresses, as far as it was asked for. */
async function loadAddressInfo(
  call: EmulateCall,
  trace: EmulatedTrace,
  { include_address_book: isBook, include_metadata: isMetadata }: EmulateView,
  accounts: () => (Buffer | null | undefined)[],
): Promise<Pick<Emulation, 'address_book' | 'metadata'>> {
  if (!isBook && !isMetadata) return {};
  const timeoutMs = Math.max(1, call.deadlineMs - performance.now());
  const options = { ...call.options, timeoutMs, noAddressBook: !isBook, noMetadata: !isMetadata };
  const asking = { ...call, options };
  const { address_book, metadata } = await readIndex(asking, (db) =>
    loadAddressInfoFields(asking, db, accounts()),
  );
  if (!isMetadata) return { address_book };
  const all = { ...metadata, ...(await describeCreatedTokens(call, trace, metadata)) };
  return isBook ? { address_book, metadata: all } : { metadata: all };
}

/** The transactions of an emulation as rows, and the states of accounts that they were made of. */
interface EmulatedRows {
  /** By logical time. */
  readonly rows: readonly TransactionDetails[];
  readonly states: readonly UnindexedState[];
}

/** Reads what an emulation made. */
function emulatedRows({ transactions, mcSeqno }: EmulatedTrace, globalVersion: number): EmulatedRows {
  // The state after a transaction is that before the next one of its account.
  const states = new Map<Uint8Array, UnindexedState>();
  const stateOf = (shardAccount: Uint8Array): UnindexedState => {
    const known = states.get(shardAccount) ?? accountRow(shardAccount);
    states.set(shardAccount, known);
    return known;
  };
  const traceId = transactions[0]!.hash;
  const rows = sortByLt(transactions).map(({ account: { workchain }, boc, before, after }) => {
    const around = { before: stateOf(before).state, after: stateOf(after).state };
    return transactionRow(
      { workchain, boc, mcSeqno, block: undefined, traceId, states: around },
      globalVersion,
    );
  });
  return { rows, states: [...states.values()] };
}

/** The code or the data of accounts as bags of cells, by their hashes. */
function bocsByHash(states: readonly UnindexedState[], part: 'code' | 'data'): Record<string, string> {
  const bags: Record<string, string> = {};
  for (const { cells, [part]: cell } of states) {
    if (cell < 0) continue;
    const hash = formatHash(cells.hash(cell, 0));
    bags[hash] ??= writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false }).toString('base64');
  }
  return bags;
}

/** Accounts whose states are looked into, at most. */
const MAX_INSPECTED_ACCOUNTS = 32;

type TokenInfo = MetadataEntry['token_info'][number];

/** What is to be said of tokens that the index does not know, because they come into being in an emulation. */
async function describeCreatedTokens(
  { emulation, signal }: EmulateCall,
  { transactions, utime }: EmulatedTrace,
  known: Readonly<Record<string, MetadataEntry>>,
): Promise<Record<string, MetadataEntry>> {
  const left = new Map<string, FinalState>();
  for (const { account, after } of transactions) {
    const key = accountBytesOf({ account });
    if (!(formatAccount(key) in known)) left.set(key.toString('latin1'), { account: key, boc: after });
  }
  const rows = await emulation.tokens([...left.values()].slice(0, MAX_INSPECTED_ACCOUNTS), utime, signal);
  const entries: Record<string, MetadataEntry> = {};
  for (const row of rows) {
    const before = entries[formatAccount(row.account)]?.token_info ?? [];
    entries[formatAccount(row.account)] = { is_indexed: false, token_info: [...before, infoOf(row)] };
  }
  return entries;
}

function infoOf(row: TokenInfoRow): TokenInfo {
  if (row.kind === 'jetton_wallets') {
    const { kind, owner, jetton, balance } = row;
    return { type: kind, extra: { balance, jetton: formatAccount(jetton), owner: formatAccount(owner) } };
  }
  const { kind, name, symbol, description, image, nft_index, extra } = row;
  return {
    type: kind,
    ...(name !== null && { name }),
    ...(symbol !== null && { symbol }),
    ...(description !== null && { description }),
    ...(image !== null && { image }),
    ...(nft_index !== null && { nft_index }),
    ...(extra !== null && { extra }),
  };
}
