import { createProtocolDecoder } from '../actions/layouts.ts';
import type { BodyDecoder } from '../chain/messages/body-decoder.ts';
import type { PlacedTransaction } from '../chain/tlb/placed-transaction.ts';
import type { Db } from '../db/tables/tables.ts';
import type { ActionRow } from '../index/action-row.ts';
import { readTraceActions } from '../index/read/actions.ts';
import { type JettonWalletRow, readWalletStates } from '../index/read/jettons.ts';
import {
  type EndedTrace,
  SeqnoReader,
  type SeqnoTransaction,
  type WantedAccounts,
} from '../index/read/seqno-reader.ts';
import { readStreamedBlocks } from '../index/read/stream.ts';
import type { IndexedTransaction } from '../index/read/transaction-reader.ts';
import { bytesKey, distinctBytes, type HashKey } from '../lib/bytes-key.ts';
import { mapInSlices } from '../lib/slices.ts';
import { accountsOfAction } from '../v3/action-json.ts';
import { createDecodedBodies, type DecodedBodies } from '../v3/decoded-bodies.ts';
import { compileReadyText } from '../v3/envelope.ts';
import { jettonWallet } from '../v3/jettons.ts';
import type { V3Ports } from '../v3/operation.ts';
import { toAccountState, toTransaction } from '../v3/transaction-json.ts';
import { formatAccount, formatHash } from '../v3/values.ts';
import { type AddressInfoOptions, loadAddressInfo } from './address-info.ts';
import { indexOf, type Lane, markOf } from './cursor.ts';
import { type EventHead, jettonEvent, type StreamEvent, stateEvent, type TraceName } from './events.ts';
import type { EventType } from './subscription.ts';
import {
  draftActions,
  draftTrace,
  draftTransactions,
  type EventDraft,
  nameOfTrace,
  type WrittenTransaction,
  writeActions,
} from './trace-events.ts';

/** The interest of all subscribers together. Address book and metadata are asked for last. */
export interface Interest extends WantedAccounts {
  readonly wantsTrace: (key: HashKey) => boolean;
  /** Whether somebody saw the trace below finalized, and has to hear how it ended. */
  readonly awaitsTrace: (key: HashKey) => boolean;
  /** Whether there is any trace that somebody wants or awaits. */
  readonly hasTraces: boolean;
  readonly types: ReadonlySet<EventType>;
  readonly includeAddressBook: boolean;
  readonly includeMetadata: boolean;
}

/** Loads the events of indexed seqnos; those of the lane of traces must be classified. */
export type EventLoader = ReturnType<typeof createEventLoader>;

/** A larger trace has no `trace` event: its transactions would not fit into a message. */
const MAX_TRACE_TRANSACTIONS = 4000;

export function createEventLoader(options: AddressInfoOptions) {
  const { ports } = options;
  const decoder = createProtocolDecoder();
  return async (
    lane: Lane,
    db: Db,
    seqnos: readonly number[],
    interest: Interest,
  ): Promise<StreamEvent[]> => {
    if (seqnos.length === 0) return [];
    const load = new SeqnoLoad(db, seqnos, { ports, decoder, interest });
    const drafts = lane === 'blocks' ? await load.blocks() : await load.traces();
    const info = await loadAddressInfo(db, distinctBytes(drafts.flatMap(({ accounts }) => accounts)), {
      ...options,
      addressBook: interest.includeAddressBook,
      metadata: interest.includeMetadata,
    });
    const marks = await readMarks(db, [...new Set(drafts.map(({ seqno }) => seqno))]);
    return drafts
      .toSorted((a, b) => a.seqno - b.seqno || a.index - b.index)
      .map(({ seqno, index, make }) => {
        const at = { lane, place: { seqno, index }, mark: marks.get(seqno)! };
        return make({ finality: 'finalized', at, info });
      });
  };
}

async function readMarks(db: Db, seqnos: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const blocks = await readStreamedBlocks(db, { seqnos });
  return new Map(blocks.map(({ seqno, rootHash }) => [seqno, markOf(rootHash)]));
}

interface PlacedDraft extends EventDraft {
  readonly seqno: number;
  readonly index: number;
}

interface SeqnoLoadOptions {
  readonly ports: V3Ports;
  readonly decoder: BodyDecoder;
  readonly interest: Interest;
}

class SeqnoLoad {
  readonly #db: Db;
  readonly #interest: Interest;
  readonly #ports: V3Ports;
  readonly #reader: SeqnoReader;
  readonly #bodies: DecodedBodies;

  constructor(db: Db, seqnos: readonly number[], { ports, decoder, interest }: SeqnoLoadOptions) {
    this.#db = db;
    this.#ports = ports;
    this.#interest = interest;
    this.#reader = new SeqnoReader(db, seqnos);
    this.#bodies = createDecodedBodies(decoder);
  }

  /** States of accounts and jetton wallets, and transactions of complete traces. */
  async blocks(): Promise<PlacedDraft[]> {
    const { types } = this.#interest;
    return [
      ...(types.has('account_state_change') ? await this.#states() : []),
      ...(types.has('jettons_change') ? await this.#jettons() : []),
      ...(types.has('transactions') ? await this.#transactions() : []),
    ];
  }

  /** The last transaction of each account in each seqno; it is known then which of the accounts are wanted. */
  async #lasts(): Promise<SeqnoTransaction[]> {
    const lasts = lastOfAccounts(await this.#reader.transactions());
    await this.#interest.lookUp?.(lasts.map(({ account }) => account));
    return lasts;
  }

  async #states(): Promise<PlacedDraft[]> {
    const lasts = await this.#lasts();
    const wanted = lasts.filter(({ account }) => this.#interest.wantsAccount(bytesKey(account)));
    const decoded = await this.#reader.decode(wanted);
    return Array.from(decoded, ([{ account, mcSeqno, rank }, one]) => {
      const state = {
        key: bytesKey(account),
        members: `"account":"${formatAccount(account)}","state":${JSON.stringify(stateAfter(one))}`,
        extended: `,"last_transaction_lt":"${one.lt}","last_transaction_hash":"${formatHash(one.hash)}","utime":${one.now},"mc_seqno":${mcSeqno}`,
      };
      const make = (head: EventHead) => stateEvent(head, state);
      return { seqno: mcSeqno, index: indexOf(0, rank), accounts: [], make };
    });
  }

  /** The index has only the newest state of a jetton wallet: what is older is told by a later event. */
  async #jettons(): Promise<PlacedDraft[]> {
    const { wantsAccount, lookUp } = this.#interest;
    const lasts = await this.#lasts();
    const accounts = distinctBytes(lasts.map(({ account }) => account));
    const wallets = await readWalletStates(this.#db, { accounts });
    await lookUp?.(wallets.map(({ owner }) => owner));
    const rows = wallets.filter(
      ({ account, owner }) => wantsAccount(bytesKey(account)) || wantsAccount(bytesKey(owner)),
    );
    const byAccount = new Map(rows.map((row) => [bytesKey(row.account), row]));
    const touched = lasts.filter(({ account }) => byAccount.has(bytesKey(account)));
    const decoded = await this.#reader.decode(touched);
    return Array.from(decoded).flatMap(([{ account, mcSeqno, rank }, one]) => {
      const row = byAccount.get(bytesKey(account))!;
      const shown = walletAfter(one, row);
      if (shown === undefined) return [];
      const { owner, jetton } = row;
      const { json } = writeWallet(jettonWallet.write(shown));
      const wallet = { json, account, owner, jetton, keys: [bytesKey(account), bytesKey(owner)] };
      const make = (head: EventHead) => jettonEvent(head, wallet);
      return [{ seqno: mcSeqno, index: indexOf(1, rank), accounts: [account, owner, jetton], make }];
    });
  }

  async #transactions(): Promise<PlacedDraft[]> {
    const traces = await this.#reader.endedTraces();
    const wanted = await this.#reader.decodeOfAccounts(traces, this.#interest);
    const names = await this.#namesOf([...wanted.keys()]);
    const drafts = await mapInSlices([...wanted], ([trace, own]): PlacedDraft[] => {
      const name = names.get(trace);
      if (name === undefined || own.length === 0) return [];
      const draft = draftTransactions(
        name,
        own.map((placed) => this.#write(placed)),
      );
      return [{ seqno: trace.mcSeqnoEnd, index: indexOf(2, trace.rank), ...draft }];
    });
    return drafts.flat();
  }

  /** Of those that ended in the seqnos. */
  async traces(): Promise<PlacedDraft[]> {
    const { types, hasTraces, awaitsTrace, wantsTrace, lookUp } = this.#interest;
    if (!types.has('actions') && !hasTraces) return [];
    const traces = await this.#reader.endedTraces();
    const actions = await readTraceActions(this.#db, { traces });
    const actionsOf = (trace: EndedTrace) => actions.get(trace.traceId.toString('hex')) ?? [];
    if (types.has('actions'))
      await lookUp?.([...actions.values()].flat().flatMap(({ accounts }) => accounts));
    const isConcerned = (trace: EndedTrace) =>
      types.has('actions') && actionsOf(trace).some((row) => this.#wantsAction(row));
    // A trace is named by the message that started it, which is read from its first transaction.
    const candidates = hasTraces ? traces : traces.filter(isConcerned);
    const names = await this.#namesOf(candidates);
    const drafts: PlacedDraft[] = [];
    for (const trace of candidates) {
      const name = names.get(trace);
      if (name === undefined) continue;
      const { mcSeqnoEnd: seqno, rank } = trace;
      const written = writeActions(this.#ports, actionsOf(trace), (writer, row) => ({
        ...writer.write(row),
        accounts: accountsOfAction(row),
      }));
      if (isConcerned(trace) || awaitsTrace(name.key))
        drafts.push({ seqno, index: indexOf(0, rank), ...draftActions(name, written) });
      if (!wantsTrace(name.key) || trace.nodes > MAX_TRACE_TRANSACTIONS) continue;
      const placed = await this.#reader.decodeTrace(trace);
      const draft = draftTrace(name, {
        transactions: await mapInSlices(placed, (one) => this.#write(one)),
        externalHash: placed[0]?.transaction.inMessage?.hash,
        actions: written.map(({ item }) => item),
      });
      if (draft !== undefined) drafts.push({ seqno, index: indexOf(1, rank), ...draft });
    }
    return drafts;
  }

  #wantsAction({ accounts }: ActionRow): boolean {
    return accounts.some((account) => this.#interest.wantsAccount(bytesKey(account)));
  }

  /** The names of traces, from the messages that their first transactions received. */
  async #namesOf(traces: readonly EndedTrace[]): Promise<ReadonlyMap<EndedTrace, TraceName>> {
    const roots = await this.#reader.decodeFirst(traces);
    return new Map(Array.from(roots, ([trace, root]) => [trace, nameOfTrace(root)]));
  }

  #write(placed: PlacedTransaction): WrittenTransaction {
    return { placed, json: toTransaction(placed, this.#bodies) };
  }
}

const writeWallet = compileReadyText(jettonWallet.schema);

function lastOfAccounts(listed: readonly SeqnoTransaction[]): SeqnoTransaction[] {
  const last = new Map<string, SeqnoTransaction>();
  for (const one of listed) {
    const key = `${one.mcSeqno} ${bytesKey(one.account)}`;
    const before = last.get(key);
    if (before === undefined || one.lt > before.lt) last.set(key, one);
  }
  return [...last.values()];
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
