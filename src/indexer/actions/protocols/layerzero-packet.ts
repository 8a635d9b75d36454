import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionData } from '../action.ts';
import { NotThis } from '../rule.ts';

/** What every structure of LayerZero begins with: its layout in numbers, and ones up to the end of the header. */
interface Header {
  readonly layout: bigint;
  readonly bits: number;
  readonly ones: number;
}

const PACKET: Header = { layout: 417359019239977417716476838698419835n, bits: 152, ones: 198 };
const PATH: Header = { layout: 8903714975572488637007080065659n, bits: 152, ones: 198 };
const VERIFICATION: Header = { layout: 38421788582694199859296615363593851n, bits: 116, ones: 234 };
const SEND_LAYOUT = 582890735024998957421269964955452773563747974476099581n;
const SEND_NAME = BigInt(`0x${Buffer.from('lzSend').toString('hex')}`);
const SEND: Header = { layout: (SEND_NAME << 180n) | SEND_LAYOUT, bits: 260, ones: 90 };

function readHeader(slice: Slice, { layout, bits, ones }: Header): void {
  if (slice.bigUint(bits) !== layout) throw new NotThis('another structure');
  if (slice.bigUint(ones) !== (1n << BigInt(ones)) - 1n) throw new NotThis('another structure');
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** A message between chains. */
export interface Packet {
  /** The application that receives it, as a number. */
  readonly receiver: bigint;
  /** The group of columns. */
  readonly columns: ActionData;
}

/** Reads a packet. */
export function readPacket(slice: Slice): Packet {
  readHeader(slice, PACKET);
  const path = slice.refSlice();
  readHeader(path, PATH);
  const src_eid = path.uint(32);
  const src_oapp = hex(path.bigUint(256));
  const dst_eid = path.uint(32);
  const receiver = path.bigUint(256);
  const message = `0x${restBytes(slice.refSlice()).toString('hex')}`;
  const nonce = slice.uint64();
  const guid = hex(slice.bigUint(256));
  return {
    receiver,
    columns: { src_oapp, dst_oapp: hex(receiver), src_eid, dst_eid, nonce, guid, message },
  };
}

function restBytes(slice: Slice): Buffer {
  const { bitsLeft } = slice;
  const bytes = Buffer.alloc((bitsLeft + 7) >> 3);
  slice.copyBits(bitsLeft, bytes, 0);
  return bytes;
}

/** A request to send a packet, as it has become on its way. */
export interface SendRequest {
  readonly id: bigint;
  readonly msglibManager: string;
  readonly msglib: string;
  readonly nativeFee: bigint;
  readonly zroFee: bigint;
  readonly packet: Packet;
}

/** Reads a request to send. */
export function readSendRequest(slice: Slice): SendRequest {
  readHeader(slice, SEND);
  const id = slice.uint64();
  const msglibManager = hex(slice.bigUint(256));
  const msglib = hex(slice.bigUint(256));
  const packet = readPacket(slice.refSlice());
  slice.ref();
  const rest = slice.refSlice();
  rest.skip(256);
  return { id, msglibManager, msglib, nativeFee: rest.bigUint(128), zroFee: rest.bigUint(128), packet };
}

const STATUSES: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
]);

/** What came of the word of a verifier. */
export interface Verification {
  readonly nonce: bigint;
  readonly status: string;
}

/** Reads what came of a verification. */
export function readVerification(slice: Slice): Verification {
  readHeader(slice, VERIFICATION);
  const nonce = slice.uint64();
  const code = slice.uint(32);
  return { nonce, status: STATUSES.get(code) ?? `unknown_${code}` };
}
