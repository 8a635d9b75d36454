import { type Builder, beginCell, type Cell } from '@ton/core';
import type { AccountId } from '../address.ts';
import type { CellBag } from '../boc/bag.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { fromCoreCell, toCoreCell } from '../boc/ton-core.ts';
import { type CodeInterface, interfaceOfCode } from './interfaces.ts';

/** The names that both interfaces have for the wallets that they decode. */
export type WalletType =
  | 'wallet v1 r1'
  | 'wallet v1 r2'
  | 'wallet v1 r3'
  | 'wallet v2 r1'
  | 'wallet v2 r2'
  | 'wallet v3 r1'
  | 'wallet v3 r2'
  | 'wallet v4 r1'
  | 'wallet v4 r2'
  | 'wallet v5 beta'
  | 'wallet v5 r1';

/** At which bit of the data a wallet keeps what; what it does not keep is left out. */
interface WalletLayout {
  /** One bit: whether the wallet takes messages that its key has signed. */
  readonly signatureAllowed?: number;
  /** 32 bits. */
  readonly seqno?: number;
  /** 32 bits. */
  readonly walletId?: number;
  /** 256 bits. */
  readonly publicKey: number;
}

/** A wallet that is known by the hash of its code. */
interface WalletCode {
  /** The interface label of the index. */
  readonly label: CodeInterface;
  /** Only the plain wallets have one: addresses of others are shown bounceable, and they are no wallets to clients. */
  readonly type?: WalletType;
  readonly layout: WalletLayout;
}

const V1: WalletLayout = { seqno: 0, publicKey: 32 };
const V3: WalletLayout = { seqno: 0, walletId: 32, publicKey: 64 };
const V5: WalletLayout = { signatureAllowed: 0, seqno: 1, walletId: 33, publicKey: 65 };
// Really 33 bits of seqno and 80 of wallet id, of which the first 32 are the network. Read like v5 r1 because existing
// servers do: the seqno is right, the signature bit always 0.
const V5_BETA: WalletLayout = { signatureAllowed: 0, seqno: 1, walletId: 33, publicKey: 113 };
const HIGHLOAD_V2: WalletLayout = { walletId: 0, publicKey: 96 };
const HIGHLOAD_V3: WalletLayout = { publicKey: 0, walletId: 256 };
// Its seqno has 16 bits.
const PREPROCESSED_V2: WalletLayout = { publicKey: 0 };

/** What wallets are to clients, by their interface labels. */
const WALLETS: Readonly<Partial<Record<CodeInterface, Omit<WalletCode, 'label'>>>> = {
  wallet_v1r1: { type: 'wallet v1 r1', layout: V1 },
  wallet_v1r2: { type: 'wallet v1 r2', layout: V1 },
  wallet_v1r3: { type: 'wallet v1 r3', layout: V1 },
  wallet_v2r1: { type: 'wallet v2 r1', layout: V1 },
  wallet_v2r2: { type: 'wallet v2 r2', layout: V1 },
  wallet_v3r1: { type: 'wallet v3 r1', layout: V3 },
  wallet_v3r2: { type: 'wallet v3 r2', layout: V3 },
  wallet_v4r1: { type: 'wallet v4 r1', layout: V3 },
  wallet_v4r2: { type: 'wallet v4 r2', layout: V3 },
  wallet_v5_beta: { type: 'wallet v5 beta', layout: V5_BETA },
  wallet_v5r1: { type: 'wallet v5 r1', layout: V5 },
  wallet_highload_v1r1: { layout: V3 },
  wallet_highload_v1r2: { layout: V3 },
  wallet_highload_v2: { layout: HIGHLOAD_V2 },
  wallet_highload_v2r1: { layout: HIGHLOAD_V2 },
  wallet_highload_v2r2: { layout: HIGHLOAD_V2 },
  wallet_highload_v3r1: { layout: HIGHLOAD_V3 },
  wallet_preprocessed_v2: { layout: PREPROCESSED_V2 },
  wallet_vesting: { layout: V3 },
};

/** The code of v5 beta itself. Its accounts have a reference to it as a library, and only they are plain wallets. */
const V5_BETA_LIBRARY = Buffer.from('5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=', 'base64');

/** The wallet whose code has this hash, if it is a known one. */
export function walletCodeOf(codeHash: Buffer): WalletCode | undefined {
  const label = interfaceOfCode(codeHash);
  if (label === undefined) return undefined;
  const wallet = WALLETS[label];
  if (wallet === undefined) return undefined;
  if (codeHash.equals(V5_BETA_LIBRARY)) return { label, layout: wallet.layout };
  return { label, ...wallet };
}

/** What a wallet's data says; what this kind of wallet does not keep is undefined. */
export interface WalletData {
  readonly seqno: number | undefined;
  /** Unsigned; some answers show it as a signed number of 32 bits. */
  readonly walletId: number | undefined;
  readonly signatureAllowed: boolean | undefined;
  readonly publicKey: Buffer;
}

/** Reads the data of a wallet; undefined if it is too short or not there (-1), so that the account is no wallet. */
export function readWallet(layout: WalletLayout, cells: Cells, data: number): WalletData | undefined {
  if (data < 0) return undefined;
  try {
    const slice = new Slice(cells, data);
    const at = (bit: number): Slice => {
      slice.bit = bit;
      return slice;
    };
    const { signatureAllowed, seqno, walletId, publicKey } = layout;
    return {
      seqno: seqno === undefined ? undefined : at(seqno).uint(32),
      walletId: walletId === undefined ? undefined : at(walletId).uint(32),
      signatureAllowed: signatureAllowed === undefined ? undefined : at(signatureAllowed).boolean(),
      publicKey: at(publicKey).hash(),
    };
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

/** A message that a wallet is to send. */
export interface TransferMessage {
  /** Its workchain fits a byte. */
  readonly to: AccountId;
  readonly bounce: boolean;
  /** Nanotons. */
  readonly value: bigint;
  readonly body: CellBag | undefined;
  /** A StateInit. */
  readonly init: CellBag | undefined;
}

/** What a wallet is told to do. */
interface TransferRequest {
  readonly type: WalletType;
  readonly seqno: number;
  /** Wallets before v3 have none. */
  readonly walletId: number | undefined;
  /** Unix seconds after which the wallet refuses it; those of v1 do not look. */
  readonly validUntil: number;
  readonly messages: readonly TransferMessage[];
}

const SIGNATURE = Buffer.alloc(64);
const SIGNED_EXTERNAL = 0x7369676e;
const SEND_MESSAGE = 0x0ec3c86d;
/** Fees apart from the value, and a message that cannot be sent does not stop the others. */
const MODE = 3;

/**
 * The body of the message from outside that makes a wallet send messages, with zeros in the place of the signature: good
 * for runs in which nobody looks at that. Undefined where wallets of this type cannot be told so. Throws a CellFault for
 * cells that @ton/core cannot hold.
 */
export function buildUnsignedTransfer(order: TransferRequest): CellBag | undefined {
  const { type, seqno, walletId = 0, validUntil } = order;
  const messages = order.messages.map(messageCell);
  switch (type) {
    case 'wallet v1 r1':
    case 'wallet v1 r2':
    case 'wallet v1 r3':
      return messages.length > 1 ? undefined : signed(beginCell().storeUint(seqno, 32), messages);
    case 'wallet v2 r1':
    case 'wallet v2 r2':
      return signed(beginCell().storeUint(seqno, 32).storeUint(validUntil, 32), messages);
    case 'wallet v3 r1':
    case 'wallet v3 r2':
      return signed(guard(walletId, validUntil, seqno), messages);
    case 'wallet v4 r1':
    case 'wallet v4 r2':
      // A simple send, not a change of plugins.
      return signed(guard(walletId, validUntil, seqno).storeUint(0, 8), messages);
    case 'wallet v5 r1': {
      const body = beginCell()
        .storeUint(SIGNED_EXTERNAL, 32)
        .storeBuilder(guard(walletId, validUntil, seqno));
      // Messages, and none of the other actions that it knows.
      body.storeMaybeRef(actionList(messages)).storeBit(0);
      return fromCoreCell(body.storeBuffer(SIGNATURE).endCell());
    }
    case 'wallet v5 beta':
      return undefined;
  }
}

function guard(walletId: number, validUntil: number, seqno: number): Builder {
  return beginCell().storeUint(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32);
}

/** What wallets up to v4 read: the signature, what guards it, then messages, of which a cell holds four. */
function signed(guarded: Builder, messages: readonly Cell[]): CellBag {
  for (const message of messages) guarded.storeUint(MODE, 8).storeRef(message);
  return fromCoreCell(beginCell().storeBuffer(SIGNATURE).storeBuilder(guarded).endCell());
}

/** The list of actions as contracts make it: the last one outside. */
function actionList(messages: readonly Cell[]): Cell {
  let list = beginCell().endCell();
  for (const message of messages)
    list = beginCell()
      .storeUint(SEND_MESSAGE, 32)
      .storeUint(MODE, 8)
      .storeRef(list)
      .storeRef(message)
      .endCell();
  return list;
}

/** A message without what the chain fills in: its sender, its fees and its times. Packed as wallets of today do it. */
function messageCell({ to, bounce, value, body, init }: TransferMessage): Cell {
  const message = beginCell().storeUint(0b01, 2).storeBit(bounce).storeUint(0b0_00, 3);
  message.storeUint(0b100, 3).storeInt(to.workchain, 8).storeBuffer(to.hash);
  message.storeCoins(value).storeBit(0).storeCoins(0).storeCoins(0).storeUint(0, 64).storeUint(0, 32);
  message.storeBit(init !== undefined);
  // A bit stays free for the body.
  if (init !== undefined) storeEither(message, toCoreCell(init, init.root), 1);
  storeEither(message, body === undefined ? beginCell().endCell() : toCoreCell(body, body.root), 0);
  return message.endCell();
}

/** Stores a cell inside where it fits, else by reference. */
function storeEither(builder: Builder, cell: Cell, spareBits: number): void {
  const fits =
    builder.availableBits - 1 - spareBits >= cell.bits.length && builder.refs + cell.refs.length <= 4;
  if (fits && !cell.isExotic) builder.storeBit(0).storeSlice(cell.beginParse());
  else builder.storeBit(1).storeRef(cell);
}
