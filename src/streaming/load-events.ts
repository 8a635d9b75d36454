import type { Kysely } from 'kysely';
import { createProtocolDecoder } from '../actions/layouts.ts';
import type { BodyDecoder } from '../chain/messages/body-decoder.ts';
import { normalizedHash } from '../chain/tlb/message.ts';
import type { Tables } from '../db/tables/tables.ts';
import type { ActionRow } from '../index/format/actions.ts';
import type { Position } from '../index/format/position.ts';
import { type JettonWalletRow, readWalletStates } from '../index/read/jettons.ts';
import { readTracesEndedIn } from '../index/read/traces.ts';
import { readPagesOfSeqnos } from '../index/read/tx-pages.ts';
import { bytesKey, distinctBytes, type HashKey } from '../lib/bytes-key.ts';
import { mapInSlices } from '../lib/slices.ts';
import { accountsOfAction, byEndDescending, createActionWriter } from '../v3/actions/action-json.ts';
import { actionSchema } from '../v3/actions/action-schemas.ts';
import { readTraceActions } from '../v3/actions/read-actions.ts';
import type { V3Ports } from '../v3/call.ts';
import { createDecodedBodies, type DecodedBodies } from '../v3/decoded-bodies.ts';
import { compileReadyText } from '../v3/envelope.ts';
import {
  type IndexedTransaction,
  type ListedTransaction,
  TransactionReader,
} from '../v3/indexed-transactions.ts';
import { jettonWalletSchema, toJettonWallet } from '../v3/jettons.ts';
import { readTraceTransactions, type StoredTrace, toStoredTrace } from '../v3/list-traces.ts';
import { accountsOfTransaction, type PlacedTransaction } from '../v3/placed-transaction.ts';
import { buildTraceTree, linkOf, writeTraceTree } from '../v3/trace-tree.ts';
import { toAccountState, toTransaction, transactionSchema } from '../v3/transaction-json.ts';
import { formatAccount, formatHash } from '../v3/values.ts';
import { type AddressInfo, type AddressInfoOptions, loadAddressInfo } from './address-info.ts';
import { indexOf, type Lane } from './cursor.ts';
import {
  type ActionItem,
  actionsEvent,
  jettonEvent,
  type StreamEvent,
  stateEvent,
  type TraceName,
  type TransactionItem,
  traceEvent,
  transactionsEvent,
} from './events.ts';
import type { EventType } from './subscription.ts';

/** What subscribers want, all together. */
export interface Interest {
  readonly wantsAccount: (key: HashKey) => boolean;
  readonly wantsTrace: (key: HashKey) => boolean;
  /** Whether somebody saw the trace below finalized, and has to hear how it ended. */
  readonly awaitsTrace: (key: HashKey) => boolean;
  /** Whether there is any trace that somebody wants or awaits. */
  readonly hasTraces: boolean;
  readonly types: ReadonlySet<EventType>;
  readonly includeAddressBook: boolean;
  readonly includeMetadata: boolean;
}

/** Loads the events of indexed seqnos. */
export interface EventLoader {
  /** The events that blocks tell: states of accounts and jetton wallets, and transactions of complete traces. */
  loadBlocks(db: Kysely<Tables>, seqnos: readonly number[], interest: Interest): Promise<StreamEvent[]>;
  /** The events of traces that ended in these seqnos, all of which must be classified. */
  loadTraces(db: Kysely<Tables>, seqnos: readonly number[], interest: Interest): Promise<StreamEvent[]>;
}

/** A larger trace has no `trace` event: its transactions would not fit into a message. */
const MAX_TRACE_TRANSACTIONS = 4000;

export function createEventLoader(options: AddressInfoOptions): EventLoader {
  const { ports } = options;
  const decoder = createProtocolDecoder();
  const load = (lane: Lane) => async (db: Kysely<Tables>, seqnos: readonly number[], interest: Interest) => {
    if (seqnos.length === 0) return [];
    const work = new SeqnoLoad(db, { ports, decoder, interest });
    const found = lane === 'blocks' ? await work.blocks(seqnos) : await work.traces(seqnos);
    const info = await loadAddressInfo(db, distinctBytes(found.flatMap(({ accounts }) => accounts)), {
      ...options,
      addressBook: interest.includeAddressBook,
      metadata: interest.includeMetadata,
    });
    return found
      .toSorted((a, b) => a.seqno - b.seqno || a.index - b.index)
      .map(({ seqno, index, make }) =>
        make({ finality: 'finalized', at: { lane, place: { seqno, index } }, info }),
      );
  };
  return { loadBlocks: load('blocks'), loadTraces: load('traces') };
}

/** An event that lacks its address book. */
interface FoundEvent {
  readonly seqno: number;
  readonly index: number;
  /** Accounts for the address book. */
  readonly accounts: readonly Buffer[];
  readonly make: (head: {
    readonly finality: 'finalized';
    readonly at: NonNullable<StreamEvent['at']>;
    readonly info: AddressInfo;
  }) => StreamEvent;
}

interface SeqnoLoadOptions {
  readonly ports: V3Ports;
  readonly decoder: BodyDecoder;
  readonly interest: Interest;
}

/** The transactions of some seqnos. */
interface Slots {
  readonly listed: readonly ListedTransaction[];
  /** The place of each among those of its seqno. */
  readonly ranks: ReadonlyMap<Position, number>;
  readonly keys: ReadonlyMap<Position, HashKey>;
}

/** One load of some seqnos. */
class SeqnoLoad {
  readonly #db: Kysely<Tables>;
  readonly #interest: Interest;
  readonly #ports: V3Ports;
  readonly #reader: TransactionReader;
  readonly #bodies: DecodedBodies;

  constructor(db: Kysely<Tables>, { ports, decoder, interest }: SeqnoLoadOptions) {
    this.#db = db;
    this.#ports = ports;
    this.#interest = interest;
    this.#reader = new TransactionReader(db);
    this.#bodies = createDecodedBodies(decoder);
  }

  async blocks(seqnos: readonly number[]): Promise<FoundEvent[]> {
    const { types } = this.#interest;
    const slots = await this.#readSlots(seqnos);
    const lasts = lastOfAccounts(slots.listed);
    return [
      ...(types.has('account_state_change') ? await this.#states(slots, lasts) : []),
      ...(types.has('jettons_change') ? await this.#jettons(slots, lasts) : []),
      ...(types.has('transactions') ? await this.#transactions(slots, seqnos) : []),
    ];
  }

  async #readSlots(seqnos: readonly number[]): Promise<Slots> {
    const wanted = new Set(seqnos);
    const pages = await readPagesOfSeqnos(this.#db, { seqnos });
    const listed = this.#reader.listPages(pages).filter(({ mcSeqno }) => wanted.has(mcSeqno));
    const [ranks, keys, counts] = [new Map(), new Map(), new Map<number, number>()];
    for (const { at, mcSeqno, account } of listed) {
      const rank = counts.get(mcSeqno) ?? 0;
      counts.set(mcSeqno, rank + 1);
      ranks.set(at, rank);
      keys.set(at, bytesKey(account));
    }
    return { listed, ranks, keys };
  }

  async #states({ ranks }: Slots, lasts: readonly ListedTransaction[]): Promise<FoundEvent[]> {
    const wanted = lasts.filter(({ account }) => this.#interest.wantsAccount(bytesKey(account)));
    const found = await this.#readComplete(wanted.map(({ at }) => at));
    return wanted.flatMap(({ at, account, mcSeqno }) => {
      const one = found.get(at);
      if (one === undefined) return [];
      const state = {
        key: bytesKey(account),
        members: `"account":"${formatAccount(account)}","state":${JSON.stringify(stateAfter(one))}`,
        extended: `,"last_transaction_lt":"${one.lt}","last_transaction_hash":"${formatHash(one.hash)}","utime":${one.now},"mc_seqno":${mcSeqno}`,
      };
      return [
        {
          seqno: mcSeqno,
          index: indexOf(0, ranks.get(at)!),
          accounts: [],
          make: (head) => stateEvent(head, state),
        },
      ];
    });
  }

  /** The index has only the newest state of a jetton wallet: what is older is told by a later event. */
  async #jettons({ ranks }: Slots, lasts: readonly ListedTransaction[]): Promise<FoundEvent[]> {
    const { wantsAccount } = this.#interest;
    const accounts = distinctBytes(lasts.map(({ account }) => account));
    const rows = (await readWalletStates(this.#db, { accounts })).filter(
      ({ account, owner }) => wantsAccount(bytesKey(account)) || wantsAccount(bytesKey(owner)),
    );
    const byAccount = new Map(rows.map((row) => [bytesKey(row.account), row]));
    const touched = lasts.filter(({ account }) => byAccount.has(bytesKey(account)));
    const found = await this.#readComplete(touched.map(({ at }) => at));
    return touched.flatMap(({ at, account, mcSeqno }) => {
      const row = byAccount.get(bytesKey(account))!;
      const one = found.get(at);
      const shown = one && walletAfter(one, row);
      if (shown === undefined) return [];
      const { owner, jetton } = row;
      const wallet = {
        json: writeWallet(toJettonWallet(shown)).json,
        account,
        owner,
        jetton,
        keys: [bytesKey(account), bytesKey(owner)],
      };
      return [
        {
          seqno: mcSeqno,
          index: indexOf(1, ranks.get(at)!),
          accounts: [account, owner, jetton],
          make: (head) => jettonEvent(head, wallet),
        },
      ];
    });
  }

  async #transactions(slots: Slots, seqnos: readonly number[]): Promise<FoundEvent[]> {
    const traces = (await readTracesEndedIn(this.#db, { seqnos })).map(toStoredTrace);
    const keys = await this.#accountsOf(slots, traces);
    const { wantsAccount } = this.#interest;
    const wanted = traces
      .map((trace) => ({ trace, own: trace.positions.filter((at) => wantsAccount(keys.get(at) ?? '')) }))
      .filter(({ own }) => own.length > 0);
    const found = await this.#readComplete(wanted.flatMap(({ own }) => own));
    const names = await this.#namesOf(wanted.map(({ trace }) => trace));
    const events = await mapInSlices(wanted, ({ trace, own }): FoundEvent[] => {
      const name = names.get(trace);
      const items = own
        .flatMap((at) => found.get(at) ?? [])
        .sort(byLtDescending)
        .map((one) => this.#transactionItem(one));
      if (name === undefined || items.length === 0) return [];
      return [
        {
          seqno: trace.mcSeqnoEnd,
          index: indexOf(2, slots.ranks.get(trace.positions.at(-1)!) ?? 0),
          accounts: items.flatMap(({ accounts }) => accounts),
          make: (head) => transactionsEvent(head, name, items),
        },
      ];
    });
    return events.flat();
  }

  /** The accounts of the transactions of traces; those of earlier seqnos are on other pages. */
  async #accountsOf(
    { keys }: Slots,
    traces: readonly StoredTrace[],
  ): Promise<ReadonlyMap<Position, HashKey>> {
    const missing = traces.flatMap(({ positions }) => positions).filter((at) => !keys.has(at));
    const read = await this.#reader.readAccounts(missing);
    return new Map([...keys, ...[...read].map(([at, account]) => [at, bytesKey(account)] as const)]);
  }

  async traces(seqnos: readonly number[]): Promise<FoundEvent[]> {
    const { types, hasTraces } = this.#interest;
    if (!types.has('actions') && !hasTraces) return [];
    const [traces, slots] = [
      (await readTracesEndedIn(this.#db, { seqnos })).map(toStoredTrace),
      await this.#readSlots(seqnos),
    ];
    const actions = await readTraceActions(this.#db, { traces });
    const actionsOf = (trace: StoredTrace) => actions.get(trace.traceId.toString('hex')) ?? [];
    const isConcerned = (trace: StoredTrace) =>
      types.has('actions') && actionsOf(trace).some((row) => this.#wantsAction(row));
    // A trace is named by the message that started it, which is read from its first transaction.
    const candidates = hasTraces ? traces : traces.filter(isConcerned);
    const names = await this.#namesOf(candidates);
    const events: FoundEvent[] = [];
    for (const trace of candidates) {
      const name = names.get(trace);
      if (name === undefined) continue;
      const rank = slots.ranks.get(trace.positions.at(-1)!) ?? 0;
      const items = actionsOf(trace).map((row) => ({ row, item: this.#actionItem(row) }));
      if (isConcerned(trace) || this.#interest.awaitsTrace(name.key)) {
        const shown = items.toSorted((a, b) => byEndDescending(a.row, b.row)).map(({ item }) => item);
        events.push({
          seqno: trace.mcSeqnoEnd,
          index: indexOf(0, rank),
          accounts: shown.flatMap(({ accounts }) => accounts),
          make: (head) => actionsEvent(head, name, shown),
        });
      }
      if (this.#interest.wantsTrace(name.key) && trace.nodes <= MAX_TRACE_TRANSACTIONS)
        events.push(
          ...(await this.#wholeTrace(trace, name, { rank, actions: items.map(({ item }) => item) })),
        );
    }
    return events;
  }

  #wantsAction({ accounts }: ActionRow): boolean {
    return accounts.some((account) => this.#interest.wantsAccount(bytesKey(account)));
  }

  async #wholeTrace(
    trace: StoredTrace,
    name: TraceName,
    { rank, actions }: { readonly rank: number; readonly actions: readonly ActionItem[] },
  ): Promise<FoundEvent[]> {
    const placed = await readTraceTransactions(this.#reader, trace);
    const { root } = buildTraceTree(placed.map(linkOf));
    if (root === undefined) return [];
    const externalHash = placed[0]!.transaction.inMessage?.hash;
    const items = await mapInSlices(
      placed,
      (one) => [formatHash(one.hash), this.#transactionItem(one, externalHash)] as const,
    );
    const content = { tree: writeTraceTree(root), transactions: new Map(items), actions };
    return [
      {
        seqno: trace.mcSeqnoEnd,
        index: indexOf(1, rank),
        accounts: [...items.map(([, item]) => item), ...actions].flatMap(({ accounts }) => accounts),
        make: (head) => traceEvent(head, name, content),
      },
    ];
  }

  /** The names of traces, from the messages that their first transactions received. */
  async #namesOf(traces: readonly StoredTrace[]): Promise<ReadonlyMap<StoredTrace, TraceName>> {
    const roots = await this.#reader.read(traces.map(({ positions }) => positions[0]!));
    const names = new Map<StoredTrace, TraceName>();
    for (const trace of traces) {
      const root = roots.get(trace.positions[0]!);
      if (root !== undefined) names.set(trace, nameOf(root));
    }
    return names;
  }

  async #readComplete(positions: readonly Position[]): Promise<ReadonlyMap<Position, IndexedTransaction>> {
    const read = await this.#reader.read(positions);
    const complete = await this.#reader.complete([...read.values()]);
    return new Map(complete.map((one) => [one.at, one]));
  }

  #transactionItem(placed: PlacedTransaction, externalHash?: Buffer): TransactionItem {
    const json = toTransaction(placed, this.#bodies);
    const shown =
      externalHash === undefined ? json : { ...json, trace_external_hash: formatHash(externalHash) };
    return toTransactionItem(placed, writeTransaction(shown).json);
  }

  #actionItem(row: ActionRow): ActionItem {
    const writer = createActionWriter({ ports: this.#ports });
    const json = { ...writer.write(row), accounts: accountsOfAction(row) };
    return toActionItem(row, writeAction(json).json, writer.accounts);
  }
}

export const writeTransaction = compileReadyText(transactionSchema);
export const writeAction = compileReadyText(actionSchema);
const writeWallet = compileReadyText(jettonWalletSchema);

/** A transaction for an event. */
export function toTransactionItem(placed: PlacedTransaction, json: string): TransactionItem {
  const { account, transaction } = placed;
  return {
    key: bytesKey(account),
    json,
    accounts: [account, ...accountsOfTransaction(transaction)],
    bodyHash: () => transaction.inMessage && bytesKey(transaction.inMessage.bodyHash),
  };
}

/** An action for an event. */
export function toActionItem(row: ActionRow, json: string, mentioned: readonly Buffer[]): ActionItem {
  return {
    type: row.type,
    ancestors: row.ancestor_type,
    keys: row.accounts.map(bytesKey),
    json,
    accounts: [...row.accounts, ...mentioned],
  };
}

function nameOf({ transaction: { inMessage }, traceId }: PlacedTransaction): TraceName {
  const isSystem = inMessage?.info.kind !== 'external-in';
  const hash = isSystem ? traceId : normalizedHash(inMessage!);
  return { key: bytesKey(hash), text: formatHash(hash), isSystem };
}

/** The last transaction of each account in each seqno. */
function lastOfAccounts(listed: readonly ListedTransaction[]): ListedTransaction[] {
  const last = new Map<string, ListedTransaction>();
  for (const one of listed) {
    const key = `${one.mcSeqno} ${bytesKey(one.account)}`;
    const before = last.get(key);
    if (before === undefined || one.lt > before.lt) last.set(key, one);
  }
  return [...last.values()];
}

function byLtDescending(a: PlacedTransaction, b: PlacedTransaction): number {
  const [ofA, ofB] = [a.transaction.lt, b.transaction.lt];
  return ofA === ofB ? 0 : ofA < ofB ? 1 : -1;
}

function stateAfter({ after, transaction }: IndexedTransaction) {
  const state = toAccountState(after);
  if (after.known !== undefined || transaction.endStatus !== 'nonexist') return state;
  return { ...state, balance: '0', extra_currencies: {}, account_status: 'nonexist' };
}

/** The jetton wallet after a transaction, if the index knows that state; a wallet that is gone has nothing left. */
function walletAfter(
  { after: { known }, transaction }: IndexedTransaction,
  row: JettonWalletRow,
): JettonWalletRow | undefined {
  if (known === undefined) return transaction.endStatus === 'nonexist' ? { ...row, balance: '0' } : undefined;
  const isSame = known.dataHash?.equals(row.data_hash) && known.codeHash?.equals(row.code_hash);
  return isSame ? row : undefined;
}
