import { type Address, beginCell, type Cell, Dictionary, type MessageRelaxed } from '@ton/core';
import { beginBody, type ContractState, compiledCode, contractState, messageCell } from './contract.ts';

/** Who may sign, who may only propose, and how many signatures it takes. */
interface MultisigParams {
  readonly threshold: number;
  readonly signers: readonly Address[];
  readonly proposers?: readonly Address[];
}

/** A multisig wallet; with arbitrary order seqnos it does not count orders. */
export function multisigWallet(params: MultisigParams & { readonly anySeqno?: boolean }): ContractState {
  const data = beginCell()
    .storeUint(0, 256)
    .storeUint(params.threshold, 8)
    .storeRef(people(params.signers))
    .storeUint(params.signers.length, 8)
    .storeMaybeRef(proposersOf(params))
    .storeBit(params.anySeqno ?? false)
    .storeRef(compiledCode('multisig-order'))
    .endCell();
  return contractState(compiledCode('multisig-wallet'), data);
}

export function multisigOrder(multisig: Address, seqno: bigint): ContractState {
  const data = beginCell().storeAddress(multisig).storeUint(seqno, 256).endCell();
  return contractState(compiledCode('multisig-order'), data);
}

export type OrderAction =
  | { readonly kind: 'send'; readonly mode: number; readonly message: MessageRelaxed }
  | { readonly kind: 'update'; readonly params: MultisigParams };

export function packOrder(actions: readonly OrderAction[]): Cell {
  const steps = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell());
  for (const [index, action] of actions.entries()) steps.set(index, packAction(action));
  return beginCell().storeDictDirect(steps).endCell();
}

// Means the next seqno.
const NEXT_ORDER = 2n ** 256n - 1n;

/** Proposes an order; one by a signer is approved by him at once. Send at least 0.1 TON with it. */
export function newOrder(options: {
  readonly queryId?: bigint;
  /** Default: the next seqno. */
  readonly seqno?: bigint;
  readonly by: 'signer' | 'proposer';
  /** Index of the signer or proposer. */
  readonly index: number;
  /** Unix time at which the order expires. */
  readonly expiration: number;
  readonly order: Cell;
}): Cell {
  return beginBody(0xf718510f, options.queryId)
    .storeUint(options.seqno ?? NEXT_ORDER, 256)
    .storeBit(options.by === 'signer')
    .storeUint(options.index, 8)
    .storeUint(options.expiration, 48)
    .storeRef(options.order)
    .endCell();
}

/** Approves an order as one of the signers; a comment that says approve does the same. */
export function approveOrder(index: number, queryId?: bigint): Cell {
  return beginBody(0xa762230f, queryId).storeUint(index, 8).endCell();
}

function packAction(action: OrderAction): Cell {
  if (action.kind === 'send') {
    const { mode, message } = action;
    return beginCell().storeUint(0xf1381e5b, 32).storeUint(mode, 8).storeRef(messageCell(message)).endCell();
  }
  const { threshold, signers } = action.params;
  const update = beginCell().storeUint(0x1d0cfbd3, 32).storeUint(threshold, 8);
  return update.storeRef(people(signers)).storeMaybeRef(proposersOf(action.params)).endCell();
}

function proposersOf({ proposers = [] }: MultisigParams): Cell | null {
  return proposers.length > 0 ? people(proposers) : null;
}

function people(addresses: readonly Address[]): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  for (const [index, address] of addresses.entries()) dictionary.set(index, address);
  return beginCell().storeDictDirect(dictionary).endCell();
}
