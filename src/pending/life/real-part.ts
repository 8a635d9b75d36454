import type { Cells } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { normalizedHash } from '../../chain/tlb/message-normalized-hash.ts';
import { accountOf } from '../../chain/tlb/msg-address.ts';
import { readTransaction } from '../../chain/tlb/transaction.ts';
import type { AccountTransaction } from '../../lite/proofs/account-transactions.ts';
import type { AccountPlace } from '../emulation-ground.ts';
import type { PendingTransaction } from '../pending-traces.ts';

/** A message that a transaction of a block sent, and that was not seen to arrive. */
export interface OpenMessage {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly destination: AccountPlace;
  /** The place of the transaction that sent it. */
  readonly parent: number;
  /** Transactions of its destination up to here did not receive it. */
  seenLt: bigint;
}

/** A transaction of a block, as far as it matters here. */
export interface SeenTransaction {
  readonly found: AccountTransaction;
  readonly workchain: number;
  readonly inHash: Buffer | undefined;
  readonly inHashNorm: Buffer | undefined;
}

/** Reads a transaction that an account's history has; throws CellFault for what is none. */
export function seeTransaction(found: AccountTransaction, workchain: number): SeenTransaction {
  const { inMessage } = readTransaction(found.cells, found.cell, workchain);
  return { found, workchain, inHash: inMessage?.hash, inHashNorm: inMessage && normalizedHash(inMessage) };
}

/** The part of a trace that is in blocks, and the messages that lead out of it. */
export class RealPart {
  readonly transactions: PendingTransaction[] = [];
  open: OpenMessage[] = [];
  #turn = 0;

  /** So many of a list as are looked at together; the others have their turn later. */
  inTurn<T>(all: readonly T[], count: number): readonly T[] {
    if (all.length <= count) return all;
    const first = (this.#turn++ * count) % all.length;
    return [...all.slice(first), ...all.slice(0, first)].slice(0, count);
  }

  /** Adds the first transaction, or the one that received an open message. */
  add({ found, workchain }: SeenTransaction, mcSeqno: number, received?: OpenMessage): void {
    const { cells, cell, hash, lt, claimedBlock } = found;
    const { account, inMessage, outMessages } = readTransaction(cells, cell, workchain);
    const at = this.transactions.length;
    this.transactions.push({
      ...{ account: place(account), boc: bagOf(cells, cell), hash: Buffer.from(hash), lt },
      inMessageHash: Buffer.from(inMessage!.hash),
      parent: received?.parent,
      ...{ emulated: false, finality: 'finalized', mcSeqno },
      block: { workchain: claimedBlock.workchain, shard: claimedBlock.shard, seqno: claimedBlock.seqno },
    });
    this.open = this.open.filter((message) => message !== received);
    for (const { info, cell: messageCell, hash: messageHash } of outMessages) {
      if (info.kind !== 'internal' || info.dest.kind !== 'std') continue;
      this.open.push({
        ...{ hash: Buffer.from(messageHash), boc: bagOf(cells, messageCell), parent: at },
        destination: place({ workchain: info.dest.workchain, hash: accountOf(info.dest) }),
        seenLt: info.createdLt,
      });
    }
  }
}

/** Copies: what it is read from is much larger and would be kept with it. */
function place({ workchain, hash }: AccountPlace): AccountPlace {
  return { workchain, hash: Buffer.from(hash) };
}

function bagOf(cells: Cells, cell: number): Buffer {
  return writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false });
}
