import { Address, type Cell, loadTransaction, type Message, type Slice } from '@ton/core';
import type { BlockId } from '../../../src/chain/block-id.ts';

/** A request to a token, read from a transaction with @ton/core, and the hash of the transaction. */
export interface AskedEvent {
  readonly table: 'jetton_transfers' | 'jetton_burns' | 'nft_transfers';
  readonly account: Address;
  readonly hash: Buffer;
  /** All columns but those that the token itself says. */
  readonly columns: Readonly<Record<string, unknown>>;
}

/** The requests to tokens, or to what may be one, in a block. */
export function eventsOfBlock(block: Cell, mcSeqno: number, { workchain }: BlockId): AskedEvent[] {
  const cells = new Map<string, Cell>();
  collect(block.refs[3]!.refs[2]!, cells);
  return [...cells.values()].flatMap((cell) => eventOf(cell, mcSeqno, workchain) ?? []);
}

/** All transactions below a cell of dictionaries: cells of their form that are not inside another one. */
function collect(cell: Cell, found: Map<string, Cell>): void {
  const isTransaction =
    cell.bits.length > 650 && cell.refs.length >= 3 && cell.beginParse().loadUint(4) === 7;
  if (isTransaction) found.set(cell.hash().toString('hex'), cell);
  else for (const child of cell.refs) collect(child, found);
}

function eventOf(cell: Cell, mcSeqno: number, workchain: number): AskedEvent | undefined {
  const transaction = loadTransaction(cell.beginParse());
  const { inMessage, description, lt, now, endStatus } = transaction;
  if (inMessage?.info.type !== 'internal' || endStatus !== 'active') return undefined;
  const request = requestOf(inMessage);
  if (request === undefined) return undefined;
  const hash = Buffer.from(transaction.address.toString(16).padStart(64, '0'), 'hex');
  const account = new Address(workchain, hash);
  const aborted = description.type === 'generic' && description.aborted;
  const { table, source, ...said } = request;
  const asker = { jetton_transfers: 'source', jetton_burns: 'owner', nft_transfers: 'old_owner' }[table];
  return {
    ...{ table, account, hash: cell.hash() },
    columns: { account, lt, mc_seqno: mcSeqno, now, aborted, [asker]: source, ...said },
  };
}

function requestOf({ body, info }: Message) {
  if (info.type !== 'internal') return undefined;
  try {
    const slice = body.beginParse();
    const op = slice.loadUint(32);
    const query = { source: info.src, query_id: slice.loadUintBig(64) };
    if (op === 0x0f8a7ea5) {
      const amount = slice.loadCoins();
      return { table: 'jetton_transfers' as const, ...query, amount, ...forwarded(slice, 'jetton') };
    }
    if (op === 0x5fcc3d14) return { table: 'nft_transfers' as const, ...query, ...forwarded(slice, 'nft') };
    if (op !== 0x595f07bc) return undefined;
    const amount = slice.loadCoins();
    const response_destination = slice.loadMaybeAddress();
    return {
      ...{ table: 'jetton_burns' as const, ...query, amount, response_destination },
      custom_payload: slice.loadMaybeRef(),
    };
  } catch {
    return undefined;
  }
}

function forwarded(slice: Slice, kind: 'jetton' | 'nft') {
  const [to, amount] =
    kind === 'jetton' ? ['destination', 'forward_ton_amount'] : ['new_owner', 'forward_amount'];
  return {
    [to!]: slice.loadMaybeAddress(),
    response_destination: slice.loadMaybeAddress(),
    custom_payload: slice.loadMaybeRef(),
    [amount!]: slice.loadCoins(),
    // One that is in the message itself is not kept.
    forward_payload: slice.loadBit() ? slice.loadRef() : null,
  };
}
