import { ACCOUNT_BYTES, accountKey } from '../../chain/address.ts';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { writeBagCell, writeBoc } from '../../chain/boc/writer.ts';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import { readMethodIds } from '../../chain/contracts/method-ids.ts';
import { readComplaintElection, readValidatorEvent } from '../../chain/messages/elector-messages.ts';
import { readTokenRequest } from '../../chain/messages/token-requests.ts';
import type { Message } from '../../chain/tlb/message.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { CopyBuffer } from '../../db/copy.ts';
import { accountPrefix } from '../format/position.ts';
import { type ShownStates, SlotCollector, type SlotPlace } from '../format/slots.ts';
import {
  type AccountChange,
  type DecodedSeqno,
  type EventFacts,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  IN_SYSTEM,
  type TraceFacts,
  type ValidatorFacts,
} from './decoded-seqno.ts';
import { putReceivedRow, putSentRow, putTransactionRow } from './rows.ts';

/** The parts of the configuration at a block that decoding depends on. */
export interface ConfigFacts {
  /** It decides what a field of messages means. */
  readonly globalVersion: number;
  /** The account of the elector in the masterchain: 32 bytes; undefined where there is none. */
  readonly elector?: Buffer | undefined;
}

/** Collects what the blocks of one masterchain seqno add. */
export interface SeqnoParts {
  readonly mcSeqno: number;
  readonly globalVersion: number;
  /** The configuration of a key block as a bag of cells. */
  config: Buffer | undefined;
  readonly blocks: CopyBuffer;
  readonly shardStates: CopyBuffer;
  readonly codes: CodeSet;
  readonly placed: TransactionCollector;
  readonly accounts: AccountChange[];
}

/** For a few rows: most seqnos have a few blocks and a dozen transactions, and buffers for hundreds would be garbage. */
const SMALL_BYTES = 1024;
const ROW_BYTES = 128;

export function createSeqnoParts(mcSeqno: number, { globalVersion, elector }: ConfigFacts): SeqnoParts {
  return {
    mcSeqno,
    globalVersion,
    config: undefined,
    blocks: new CopyBuffer(SMALL_BYTES),
    shardStates: new CopyBuffer(SMALL_BYTES),
    codes: new CodeSet(),
    placed: new TransactionCollector(elector),
    accounts: [],
  };
}

export class CodeSet {
  readonly #codes = new Map<string, ContractCode>();

  get found(): ContractCode[] {
    return [...this.#codes.values()];
  }

  /** Adds a complete code; returns it as a bag of cells. */
  add(cells: Cells, cell: number, hash: Buffer): Buffer {
    const key = hash.toString('latin1');
    let code = this.#codes.get(key);
    if (code === undefined) {
      const boc = writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false });
      code = { hash, boc, methods: readMethodIds(boc) };
      this.#codes.set(key, code);
    }
    return code.boc;
  }
}

const HASH_BYTES = 32;

/** A transaction for rows, traces and pages. */
interface PlacedTransaction {
  readonly account: Buffer;
  readonly transaction: Transaction;
  /** Whether no account sent its in message. */
  readonly isSystem: boolean;
  readonly normalizedHash: Buffer | undefined;
  readonly place: SlotPlace;
  readonly states: ShownStates;
}

type TransactionParts = Pick<
  DecodedSeqno,
  'transactions' | 'messages' | 'received' | 'traces' | 'slots' | 'positions' | 'events'
> & { readonly validators: Omit<ValidatorFacts, 'config'> };

/** Collects transactions; rows, traces and pages have them in the same order: by lt, workchain and address. */
class TransactionCollector {
  readonly #all: PlacedTransaction[] = [];
  readonly #elector: Buffer | undefined;

  constructor(elector: Buffer | undefined) {
    this.#elector = elector;
  }

  add(one: PlacedTransaction): void {
    this.#all.push(one);
  }

  finish(): TransactionParts {
    const all = this.#all.sort(inOrder);
    const slots = new SlotCollector();
    for (const { place, states, transaction } of all)
      slots.add(place, states, writeBagCell(transaction.cells, transaction.cell));
    return {
      ...rowsOf(all),
      traces: tracesOf(all),
      slots: slots.finish(),
      events: eventsOf(all),
      validators: validatorsOf(all, this.#elector),
    };
  }
}

/** The rows of transactions and messages, and where these have the positions of their transactions. */
function rowsOf(all: readonly PlacedTransaction[]) {
  const bytes = all.length * ROW_BYTES;
  const transactions = new CopyBuffer(bytes);
  const messages = new CopyBuffer(bytes);
  const received = new CopyBuffer(bytes);
  const transactionsAt = new Uint32Array(all.length);
  const messageFrom = new Uint32Array(all.length + 1);
  const messagesAt: number[] = [];
  const receivedFrom = new Uint32Array(all.length + 1);
  const receivedAt = new Uint32Array(all.length);
  for (const [i, { account, transaction, place, isSystem, normalizedHash }] of all.entries()) {
    const { inMessage, outMessages } = transaction;
    const facts = { mcSeqno: place.mcSeqno, acc8: accountPrefix(account), transaction };
    transactionsAt[i] = putTransactionRow(transactions, facts);
    if (inMessage !== undefined) {
      if (kindOf(inMessage, isSystem) === IN_INTERNAL)
        receivedAt[i] = putReceivedRow(received, facts, inMessage, undefined);
      else messagesAt.push(putReceivedRow(messages, facts, inMessage, normalizedHash));
    }
    for (let ordinal = 1; ordinal <= outMessages.length; ordinal++)
      messagesAt.push(putSentRow(messages, facts, ordinal));
    messageFrom[i + 1] = messagesAt.length;
    receivedFrom[i + 1] = received.position();
  }
  return {
    transactions: transactions.rows(),
    messages: messages.rows(),
    received: { bytes: received.rows().bytes, rowFrom: receivedFrom, positionAt: receivedAt },
    positions: { transactions: transactionsAt, messageFrom, messages: Uint32Array.from(messagesAt) },
  };
}

function tracesOf(facts: readonly PlacedTransaction[]): TraceFacts {
  const count = facts.length;
  const sent = facts.map(({ transaction }) => transaction.outMessages.filter(isInternal));
  const hashes = Buffer.alloc(count * HASH_BYTES);
  const accounts = Buffer.alloc(count * ACCOUNT_BYTES);
  const lts = new BigUint64Array(count);
  const nows = new Float64Array(count);
  const inKinds = new Uint8Array(count);
  const inHashes = Buffer.alloc(count * HASH_BYTES);
  const normHashes = Buffer.alloc(count * HASH_BYTES);
  const outFrom = new Uint32Array(count + 1);
  const outHashes = Buffer.alloc(sent.reduce((sum, { length }) => sum + length, 0) * HASH_BYTES);
  const logs = new Uint16Array(count);
  let outs = 0;
  for (const [i, { transaction, account, normalizedHash, ...fact }] of facts.entries()) {
    const { inMessage } = transaction;
    hashes.set(transaction.hash, i * HASH_BYTES);
    accounts.set(account, i * ACCOUNT_BYTES);
    lts[i] = transaction.lt;
    nows[i] = transaction.now;
    inKinds[i] = kindOf(inMessage, fact.isSystem);
    if (inMessage !== undefined) inHashes.set(inMessage.hash, i * HASH_BYTES);
    if (normalizedHash !== undefined) normHashes.set(normalizedHash, i * HASH_BYTES);
    for (const message of sent[i]!) outHashes.set(message.hash, outs++ * HASH_BYTES);
    outFrom[i + 1] = outs;
    logs[i] = transaction.outMessages.length - sent[i]!.length;
  }
  return {
    count,
    hashes,
    accounts,
    lts,
    nows,
    inKinds,
    inHashes,
    normHashes,
    outFrom,
    outHashes,
    logs,
  };
}

function eventsOf(all: readonly PlacedTransaction[]): EventFacts[] {
  return all.flatMap(({ transaction }, slot) => {
    const request = readTokenRequest(transaction);
    if (request === undefined) return [];
    const { kind, aborted, source, destination } = request;
    return [{ slot, kind, aborted, source, destination }];
  });
}

function validatorsOf(all: readonly PlacedTransaction[], elector: Buffer | undefined) {
  if (elector === undefined) return { elector, events: [], complaintElections: [] };
  const complaintElections = new Set<number>();
  const events = all.flatMap(({ transaction }, slot) => {
    const election = readComplaintElection(transaction, elector);
    if (election !== undefined) complaintElections.add(election);
    const event = readValidatorEvent(transaction, elector);
    return event === undefined ? [] : [{ ...event, slot }];
  });
  return {
    elector: accountKey(MASTERCHAIN, elector),
    events,
    complaintElections: [...complaintElections],
  };
}

function inOrder(a: PlacedTransaction, b: PlacedTransaction): number {
  if (a.transaction.lt !== b.transaction.lt) return a.transaction.lt < b.transaction.lt ? -1 : 1;
  const byWorkchain = a.transaction.account.workchain - b.transaction.account.workchain;
  return byWorkchain || Buffer.compare(a.account, b.account);
}

function isInternal({ info }: Message): boolean {
  return info.kind === 'internal';
}

function kindOf(message: Message | undefined, isSystem: boolean): number {
  if (message === undefined) return IN_NONE;
  if (message.info.kind !== 'internal') return IN_EXTERNAL;
  return isSystem ? IN_SYSTEM : IN_INTERNAL;
}
