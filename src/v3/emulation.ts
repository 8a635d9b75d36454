import type { Static } from 'typebox';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { byLtAndAccount } from '../chain/logical-time.ts';
import { readUnindexed, readUnindexedState, type UnindexedState } from '../chain/tlb/placed-transaction.ts';
import type { ParameterValues } from '../http/operation.ts';
import { PlainText, RawJson, rawJson } from '../http/serializer.ts';
import type { TokenInfoRow } from '../index/read/address-info.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';
import type { PayerBudget } from '../lib/payer-budget.ts';
import type { EmulationContext } from '../live/emulation.ts';
import type { TraceEmulator } from '../pending/emulate.ts';
import type { EmulatedTrace, PendingClassification } from '../pending/pending-traces.ts';
import type { Classify } from '../pending/predict.ts';
import {
  byEndDescending,
  createActionWriter,
  filterSupportedActions,
  toUnindexedAction,
} from './action-json.ts';
import { actionSchema } from './action-schemas.ts';
import { expandActionTypes } from './action-types.ts';
import {
  addressBookSchema,
  loadAddressInfoFields,
  type MetadataEntry,
  metadataSchema,
  tokenTexts,
  toWalletInfo,
} from './address-book.ts';
import type { V3Call } from './operation.ts';
import { booleanParam, int32Kind } from './parameter-kinds.ts';
import { MAX_INT32, scalarParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { buildTraceTree, linkOf, traceNodeSchema, writeTraceTree } from './trace-json.ts';
import { accountsOfTransactions, toUnindexedTransaction, transactionSchema } from './transaction-json.ts';
import { formatAccount, formatHash, MapOf } from './values.ts';

/** The state of an account after an emulation: a ShardAccount as a bag of cells. */
interface FinalState {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly boc: Uint8Array;
}

export interface EmulationPort {
  readonly context: EmulationContext;
  readonly emulator: Pick<TraceEmulator, 'emulate'>;
  readonly classify: Classify;
  /** Recognises tokens by their ShardAccounts at a unix time. Never throws. */
  readonly tokens: (
    states: readonly FinalState[],
    utime: number,
    signal: AbortSignal,
  ) => Promise<readonly TokenInfoRow[]>;
  /** Throws if the caller has used up its TVM time. */
  readonly admit: (payer: Payer | undefined) => void;
  /** Of TVM time. */
  readonly budget: PayerBudget;
}

export interface EmulateCall extends V3Call {
  readonly emulation: EmulationPort;
  /** When the response is due, on the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Aborted at the deadline and when the client disconnects. */
  readonly signal: AbortSignal;
  /** Charges time of this thread to the caller; TVM time is charged where it is used. */
  readonly charge: (ms: number) => void;
}

/** The parameters of both operations: what to include, and the block to emulate on. */
export function viewParams() {
  const flag = (description: string) => booleanParam(description, { fallback: false });
  return {
    with_actions: flag('Include actions.'),
    include_code_data: flag('Include code and data of the accounts.'),
    include_address_book: flag('Include the address book.'),
    include_metadata: flag('Include token metadata.'),
    mc_block_seqno: scalarParam(seqnoKind, 'Masterchain block to emulate on; the newest by default.'),
  };
}

type EmulateView = ParameterValues<ReturnType<typeof viewParams>>;

const seqnoKind = {
  ...int32Kind,
  schema: Type.Integer({ minimum: 0, maximum: Number(MAX_INT32) }),
  convert: (text: string) => {
    const seqno = int32Kind.convert(text);
    return seqno !== undefined && seqno >= 0 ? seqno : undefined;
  },
};

interface EmulationRequest {
  /** An external message as a bag of cells. */
  readonly message: Uint8Array;
  readonly ignoreSignature: boolean;
  /** The masterchain block to emulate on; the newest if undefined. */
  readonly seqno: number | undefined;
}

/** Part of the request time kept for what follows the emulation: actions, address book and metadata. */
const RESERVED_MS = 500;

/** Emulates a message at the expense of the caller. Throws if the account rejects the message. */
export async function runEmulation(call: EmulateCall, request: EmulationRequest): Promise<EmulatedTrace> {
  const { emulation, caller, signal } = call;
  const leftMs = call.deadlineMs - RESERVED_MS - performance.now();
  const { group, payer } = caller;
  const budgetMs = Math.max(1, leftMs);
  const outcome = await emulation.emulator.emulate({ ...request, group, payer, budgetMs, signal });
  if ('transactions' in outcome) return outcome;
  const { exitCode, text } = outcome;
  throw new Failure('lite_server', exitCode === undefined ? text : `${text} (exit code ${exitCode})`);
}

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
    throw new Failure('lite_server', 'the trace could not be classified');
  return classification;
}

const cellsSchema = MapOf(PlainText({ description: 'A bag of cells in base64.' }));

export const emulationSchema = Type.Object(
  {
    mc_block_seqno: Type.Integer({ description: 'The masterchain block that the emulation started from.' }),
    trace: RawJson(traceNodeSchema),
    transactions: MapOf(transactionSchema),
    actions: Type.Optional(Type.Array(actionSchema, { description: 'With `with_actions`.' })),
    code_cells: Type.Optional(cellsSchema),
    data_cells: Type.Optional(cellsSchema),
    address_book: Type.Optional(addressBookSchema),
    metadata: Type.Optional(metadataSchema),
    rand_seed: PlainText(),
    is_incomplete: Type.Boolean({ description: 'True if some messages were not delivered.' }),
  },
  { title: 'EmulateTraceResponse' },
);

type Emulation = Static<typeof emulationSchema>;

/** Writes the result of an emulation; actions are those of the version that the client supports. */
export async function toEmulationJson(
  call: EmulateCall,
  trace: EmulatedTrace,
  { version, ...view }: EmulateView & { readonly version: string },
): Promise<Emulation> {
  const { externalHash, normalizedHash, mcSeqno, randSeed, bound } = trace;
  const traceInfo = { externalHash, normalizedHash, finality: 'pending' } as const;
  const startMs = performance.now();
  const { placed, states } = readEmulated(trace, call.ports.networkVersion());
  const shown = placed.map((one) =>
    toUnindexedTransaction(one, { ...traceInfo, hasTraceId: false, emulated: true }, call.bodies),
  );
  const cells = view.include_code_data && {
    code_cells: bocsByHash(states, 'code'),
    data_cells: bocsByHash(states, 'data'),
  };
  // States may be large, and reading them takes time of this thread.
  call.charge(performance.now() - startMs);
  const writer = createActionWriter(call);
  const actionRows = view.with_actions ? (await classifyEmulated(call, trace)).actions : undefined;
  const actions =
    actionRows &&
    filterSupportedActions(actionRows, expandActionTypes([version]))
      .sort(byEndDescending)
      .map((row) => toUnindexedAction(writer, { ...traceInfo, traceId: undefined }, row));
  return {
    mc_block_seqno: mcSeqno,
    trace: rawJson(writeTraceTree(buildTraceTree(placed.map(linkOf)).root!)),
    transactions: Object.fromEntries(shown.map((transaction) => [transaction.hash, transaction])),
    ...(actions && { actions }),
    ...cells,
    ...(await loadAddressInfo(call, trace, view, () => [
      ...accountsOfTransactions(placed),
      ...writer.accounts,
    ])),
    rand_seed: randSeed.toString('base64'),
    is_incomplete: bound !== undefined,
  };
}

/** Loads the address book and metadata, as far as they were requested. */
async function loadAddressInfo(
  call: EmulateCall,
  trace: EmulatedTrace,
  { include_address_book: wantsBook, include_metadata: wantsMetadata }: EmulateView,
  accounts: () => (Buffer | null | undefined)[],
): Promise<Pick<Emulation, 'address_book' | 'metadata'>> {
  if (!wantsBook && !wantsMetadata) return {};
  const timeoutMs = Math.max(1, call.deadlineMs - performance.now());
  const options = { ...call.options, timeoutMs, noAddressBook: !wantsBook, noMetadata: !wantsMetadata };
  const indexCall = { ...call, options };
  const { address_book, metadata } = await readIndex(indexCall, (db) =>
    loadAddressInfoFields(indexCall, db, accounts()),
  );
  if (!wantsMetadata) return { address_book };
  const all = { ...metadata, ...(await describeCreatedTokens(call, trace, metadata)) };
  return wantsBook ? { address_book, metadata: all } : { metadata: all };
}

/** The transactions of an emulation by logical time, and the account states around them. */
function readEmulated({ transactions, mcSeqno }: EmulatedTrace, globalVersion: number) {
  // The state after a transaction is the state before the next one of the account.
  const states = new Map<Uint8Array, UnindexedState>();
  const stateOf = (shardAccount: Uint8Array): UnindexedState => {
    const state = states.get(shardAccount) ?? readUnindexedState(shardAccount);
    states.set(shardAccount, state);
    return state;
  };
  const traceId = transactions[0]!.hash;
  const placed = transactions
    .toSorted(byLtAndAccount)
    .map(({ account: { workchain }, boc, before, after }) => {
      const around = { before: stateOf(before).state, after: stateOf(after).state };
      return readUnindexed(
        { workchain, boc, mcSeqno, block: undefined, traceId, states: around },
        globalVersion,
      );
    });
  return { placed, states: [...states.values()] };
}

/** The code or the data of accounts as bags of cells, keyed by hash. */
function bocsByHash(states: readonly UnindexedState[], part: 'code' | 'data'): Record<string, string> {
  const bags: Record<string, string> = {};
  for (const { cells, [part]: cell } of states) {
    if (cell < 0) continue;
    const hash = formatHash(cells.hash(cell, 0));
    bags[hash] ??= writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false }).toString('base64');
  }
  return bags;
}

/** How many account states are searched for tokens. */
const MAX_INSPECTED_ACCOUNTS = 32;

type TokenInfo = MetadataEntry['token_info'][number];

/** Metadata of tokens that the index does not have because the emulation creates them. */
async function describeCreatedTokens(
  { emulation, signal }: EmulateCall,
  { transactions, utime }: EmulatedTrace,
  indexed: Readonly<Record<string, MetadataEntry>>,
): Promise<Record<string, MetadataEntry>> {
  const finalStates = new Map<string, FinalState>();
  for (const { account, after } of transactions) {
    const bytes = toAccountBytes(account);
    if (!(formatAccount(bytes) in indexed)) finalStates.set(bytesKey(bytes), { account: bytes, boc: after });
  }
  const inspected = [...finalStates.values()].slice(0, MAX_INSPECTED_ACCOUNTS);
  const rows = await emulation.tokens(inspected, utime, signal);
  const entries: Record<string, MetadataEntry> = {};
  for (const row of rows) {
    const before = entries[formatAccount(row.account)]?.token_info ?? [];
    entries[formatAccount(row.account)] = { is_indexed: false, token_info: [...before, toTokenInfo(row)] };
  }
  return entries;
}

function toTokenInfo(row: TokenInfoRow): TokenInfo {
  if (row.kind === 'jetton_wallets') return toWalletInfo(row);
  const { kind, nft_index, extra } = row;
  return {
    type: kind,
    ...tokenTexts(row),
    ...(nft_index !== null && { nft_index }),
    ...(extra !== null && { extra }),
  };
}
