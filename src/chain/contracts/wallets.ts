import { type Builder, beginCell, type Cell } from '@ton/core';
import type { AccountId } from '../address.ts';
import type { CellBag } from '../boc/bag.ts';
import { type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { fromCoreCell, toCoreCell } from '../boc/ton-core.ts';
import { type CodeInterface, interfaceOfCode } from './interfaces.ts';

/** Bit offsets of the fields in a wallet's data: numbers of 32 bits and a key of 256; missing fields are omitted. */
interface WalletLayout {
  /** One bit: whether the wallet accepts messages signed by its key. */
  readonly signatureAllowed?: number;
  readonly seqno?: number;
  readonly walletId?: number;
  readonly publicKey: number;
}

const V1: WalletLayout = { seqno: 0, publicKey: 32 };
const V3: WalletLayout = { seqno: 0, walletId: 32, publicKey: 64 };
const V5: WalletLayout = { signatureAllowed: 0, seqno: 1, walletId: 33, publicKey: 65 };
// The real layout is 33 bits of seqno and 80 of wallet id, whose first 32 are the network. Read like v5 r1 because existing
// servers do: the seqno is right, the signature bit is always 0.
const V5_BETA: WalletLayout = { signatureAllowed: 0, seqno: 1, walletId: 33, publicKey: 113 };
const HIGHLOAD_V2: WalletLayout = { walletId: 0, publicKey: 96 };
const HIGHLOAD_V3: WalletLayout = { publicKey: 0, walletId: 256 };
// Its seqno has 16 bits.
const PREPROCESSED_V2: WalletLayout = { publicKey: 0 };

/**
 * Types and layouts of wallets by interface. Only plain wallets have a type: addresses of others are shown bounceable, and
 * clients do not list them as wallets.
 */
const WALLETS = {
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
} as const satisfies Partial<
  Record<CodeInterface, { readonly type?: string; readonly layout: WalletLayout }>
>;

/** The names of wallet types in v2 and v3. */
export type WalletType = Extract<(typeof WALLETS)[keyof typeof WALLETS], { readonly type: string }>['type'];

interface WalletCode {
  readonly label: CodeInterface;
  readonly type?: WalletType;
  readonly layout: WalletLayout;
}

/** The code of v5 beta itself. Real accounts refer to it as a library, and only those are plain wallets. */
const V5_BETA_LIBRARY = Buffer.from('5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=', 'base64');

export function walletCodeOf(codeHash: Buffer): WalletCode | undefined {
  const label = interfaceOfCode(codeHash);
  if (label === undefined || !(label in WALLETS)) return undefined;
  const wallet = WALLETS[label as keyof typeof WALLETS];
  if (codeHash.equals(V5_BETA_LIBRARY)) return { label, layout: wallet.layout };
  return { label, ...wallet };
}

/** The data of a wallet; fields that this wallet type does not have are undefined. */
export type WalletData = NonNullable<ReturnType<typeof readWallet>>;

/** Reads the data of a wallet; undefined if it is too short or absent (-1), so that the account is no wallet. */
export function readWallet(layout: WalletLayout, cells: Cells, data: number) {
  if (data < 0) return undefined;
  return undefinedOnCellError(() => {
    const slice = new Slice(cells, data);
    const at = (bit: number): Slice => {
      slice.bit = bit;
      return slice;
    };
    const { signatureAllowed, seqno, walletId, publicKey } = layout;
    return {
      seqno: seqno === undefined ? undefined : at(seqno).uint(32),
      /** Unsigned; some responses show it as a signed 32-bit number. */
      walletId: walletId === undefined ? undefined : at(walletId).uint(32),
      signatureAllowed: signatureAllowed === undefined ? undefined : at(signatureAllowed).boolean(),
      publicKey: at(publicKey).hash(),
    };
  });
}

export interface TransferMessage {
  /** Its workchain fits a byte. */
  readonly to: AccountId;
  readonly bounce: boolean;
  /** Nanotons. */
  readonly value: bigint;
  readonly body: CellBag | undefined;
  readonly init: CellBag | undefined;
}

interface TransferRequest {
  readonly type: WalletType;
  readonly seqno: number;
  /** Not used before v3. */
  readonly walletId: number | undefined;
  /** Unix time after which the wallet rejects the request; ignored by v1. */
  readonly validUntil: number;
  readonly messages: readonly TransferMessage[];
}

const SIGNATURE = Buffer.alloc(64);
const SIGNED_EXTERNAL = 0x7369676e;
const SEND_MESSAGE = 0x0ec3c86d;
/** Pay fees separately, ignore errors: one failing message does not stop the others. */
const MODE = 3;

/**
 * The body of an external message that makes a wallet send messages, with zeros instead of the signature: for
 * emulation without signature checks. Undefined where this wallet type cannot do it. Throws a CellError for
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
      // Opcode 0: a simple send, no plugin operation.
      return signed(guard(walletId, validUntil, seqno).storeUint(0, 8), messages);
    case 'wallet v5 r1': {
      const body = beginCell()
        .storeUint(SIGNED_EXTERNAL, 32)
        .storeBuilder(guard(walletId, validUntil, seqno));
      // Only messages, no extended actions.
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

/** The body format up to v4: the signature, the guarded fields, then up to four messages. */
function signed(guarded: Builder, messages: readonly Cell[]): CellBag {
  for (const message of messages) guarded.storeUint(MODE, 8).storeRef(message);
  return fromCoreCell(beginCell().storeBuffer(SIGNATURE).storeBuilder(guarded).endCell());
}

/** An OutList as contracts build it: the last action is outermost. */
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

/** An internal message without the fields that the chain fills in (source, fees, times), packed as current wallets do. */
function messageCell({ to, bounce, value, body, init }: TransferMessage): Cell {
  const message = beginCell().storeUint(0b01, 2).storeBit(bounce).storeUint(0b0_00, 3);
  message.storeUint(0b100, 3).storeInt(to.workchain, 8).storeBuffer(to.hash);
  message.storeCoins(value).storeBit(0).storeCoins(0).storeCoins(0).storeUint(0, 64).storeUint(0, 32);
  message.storeBit(init !== undefined);
  // One bit must stay free for the body.
  if (init !== undefined) storeEither(message, toCoreCell(init, init.root), 1);
  storeEither(message, body === undefined ? beginCell().endCell() : toCoreCell(body, body.root), 0);
  return message.endCell();
}

/** Inlines a cell where it fits, otherwise stores a reference. */
function storeEither(builder: Builder, cell: Cell, spareBits: number): void {
  const fits =
    builder.availableBits - 1 - spareBits >= cell.bits.length && builder.refs + cell.refs.length <= 4;
  if (fits && !cell.isExotic) builder.storeBit(0).storeSlice(cell.beginParse());
  else builder.storeBit(1).storeRef(cell);
}
