import { CellError, type Cells } from '../boc/cells.ts';
import { crc16 } from '../boc/checksums.ts';
import { Slice } from '../boc/slice.ts';
import { type AddrStd, readMsgAddress } from '../tlb/msg-address.ts';

/** The state of a payment channel; `limitA` and `limitB` are minima (init) or promised amounts (close). */
type ChannelState = Readonly<ReturnType<typeof readState>>;

export type PaymentChannel = Readonly<ReturnType<typeof readPaymentChannel>>;

/** Reads the data of a legacy payment channel. */
export function readPaymentChannel(cells: Cells, data: number) {
  const slice = new Slice(cells, data);
  const config = slice.refSlice();
  const state = readState(slice.refSlice());
  slice.end();
  const initTimeout = config.int(32);
  const closeTimeout = config.int(32);
  const [keyA, keyB] = [config.hash(), config.hash()];
  const [addressA, addressB] = [readAddress(config), readAddress(config)];
  return {
    initTimeout,
    closeTimeout,
    alice: { publicKey: keyA, address: addressA },
    bob: { publicKey: keyB, address: addressB },
    /** Signed, as in tonlib. */
    channelId: config.int64(),
    state,
    /** The state as the node's TL-B printer writes it. */
    description: describe(state),
  };
}

/** A public key as tonlib shows it: 48 characters of base64url with a tag and a checksum. */
export function formatPublicKey(key: Buffer): string {
  const bytes = Buffer.alloc(36);
  bytes.writeUInt16BE(0x3ee6, 0);
  key.copy(bytes, 2);
  bytes.writeUInt16BE(crc16(bytes, 0, 34), 34);
  return bytes.toString('base64url');
}

function readAddress(slice: Slice): AddrStd {
  const address = readMsgAddress(slice.refSlice());
  if (address.kind !== 'std') throw new CellError('payment channel without an account address');
  return address;
}

function readState(slice: Slice) {
  const tag = slice.uint(3);
  if (tag > 2) throw new CellError('unknown tag of a payment channel state');
  if (tag === 2) return { kind: 'payout' as const, amountA: slice.coins(), amountB: slice.coins() };
  return {
    kind: tag === 0 ? ('init' as const) : ('close' as const),
    signedA: slice.boolean(),
    signedB: slice.boolean(),
    limitA: slice.coins(),
    limitB: slice.coins(),
    expireAt: slice.uint(32),
    amountA: slice.coins(),
    amountB: slice.coins(),
  };
}

function describe(state: ChannelState): string {
  const amounts = `${grams('A', state.amountA)}${grams('B', state.amountB)})\n`;
  if (state.kind === 'payout') return `(chan_state_payout${amounts}`;
  const name = state.kind === 'init' ? 'min' : 'promise';
  const signed = ` signed_A:${Number(state.signedA)} signed_B:${Number(state.signedB)}`;
  const limits = `${grams(`${name}_A`, state.limitA)}${grams(`${name}_B`, state.limitB)}`;
  return `(chan_state_${state.kind}${signed}${limits} expire_at:${state.expireAt}${amounts}`;
}

function grams(name: string, value: bigint): string {
  const length = value === 0n ? 0 : (value.toString(16).length + 1) >> 1;
  return `\n  ${name}:(nanograms\n    amount:(var_uint len:${length} value:${value}))`;
}
