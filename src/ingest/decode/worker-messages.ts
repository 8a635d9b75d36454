import type { BlockId } from '../../chain/block-id.ts';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import { VALIDATOR_EVENT_TYPES } from '../../chain/messages/elector-messages.ts';
import type { TokenRequestKind } from '../../chain/messages/token-requests.ts';
import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import type {
  AccountChange,
  CopyRows,
  DecodedSeqno,
  EventFacts,
  PositionFields,
  ReceivedRows,
  StateSummary,
  TraceFacts,
  ValidatorEventFacts,
  ValidatorFacts,
} from '../../index/write/decoded-seqno.ts';
import type { FetchedSeqno } from '../fetch/fetch-seqnos.ts';
import {
  big,
  bool,
  bytes,
  int,
  list,
  numbers,
  oneOf,
  optional,
  type Packed,
  PackReader,
  PackWriter,
  record,
  section,
  text,
  uint,
} from './packing.ts';

/** A block id as sent to a thread: hashes as text, because views would be sent with their whole buffer. */
interface BlockIdWire extends Pick<BlockId, 'workchain' | 'shard' | 'seqno'> {
  readonly rootHash: string;
  readonly fileHash: string;
}

/** A seqno of a job, without the bytes of its blocks. */
interface SeqnoWire {
  readonly mcSeqno: number;
  readonly globalVersion: number;
  readonly elector: string | undefined;
  /** The masterchain block first. */
  readonly blocks: readonly BlockIdWire[];
  readonly lengths: readonly number[];
  readonly tops: readonly BlockIdWire[];
}

/** A decode job as sent to a thread. */
export interface JobWire {
  readonly seqnos: readonly SeqnoWire[];
  /** The blocks of all seqnos, concatenated. */
  readonly bytes: ArrayBuffer;
}

/** The reply of a thread: for each seqno the part of the packed bytes that is its own, or the reason of a failure. */
export interface ReplyWire {
  readonly seqnos: readonly ({ readonly from: number; readonly to: number } | { readonly fault: string })[];
  readonly packed: ArrayBuffer;
}

/** Encodes a job; the bytes of its blocks are copied. */
export function toWire(job: readonly FetchedSeqno[]): JobWire {
  const blocks = job.flatMap(({ masterchain, shardBlocks }) => [masterchain, ...shardBlocks]);
  const bytes = new Uint8Array(blocks.reduce((sum, block) => sum + block.bytes.length, 0));
  let at = 0;
  for (const block of blocks) {
    bytes.set(block.bytes, at);
    at += block.bytes.length;
  }
  return { seqnos: job.map(seqnoToWire), bytes: bytes.buffer };
}

function seqnoToWire({ masterchain, shardBlocks, tops, ...config }: FetchedSeqno): SeqnoWire {
  const blocks = [masterchain, ...shardBlocks];
  return {
    mcSeqno: config.mcSeqno,
    globalVersion: config.globalVersion,
    elector: config.elector?.toString('latin1'),
    blocks: blocks.map(({ id }) => idToWire(id)),
    lengths: blocks.map(({ bytes }) => bytes.length),
    tops: tops.map(idToWire),
  };
}

function fromWire({ seqnos, bytes }: JobWire): FetchedSeqno[] {
  let at = 0;
  return seqnos.map(({ mcSeqno, globalVersion, elector, blocks, lengths, tops }) => {
    const [masterchain, ...shardBlocks] = blocks.map((id, i) => {
      at += lengths[i]!;
      return { id: idFromWire(id), bytes: Buffer.from(bytes, at - lengths[i]!, lengths[i]!) };
    });
    return {
      mcSeqno,
      globalVersion,
      elector: elector === undefined ? undefined : Buffer.from(elector, 'latin1'),
      masterchain: masterchain!,
      shardBlocks,
      tops: tops.map(idFromWire),
    };
  });
}

/** Does a job in a thread; `decode` throws if the blocks of a seqno are broken. */
export function decodeJob(
  job: JobWire,
  decode: (fetched: FetchedSeqno) => DecodedSeqno,
  packer = new PackWriter(),
): ReplyWire {
  const seqnos = fromWire(job).map((fetched) => {
    const from = packer.position;
    try {
      packSeqno(packer, decode(fetched));
      return { from, to: packer.position };
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) };
    }
  });
  return { seqnos, packed: packer.finish() };
}

export function unpackReply({ seqnos, packed }: ReplyWire): (DecodedSeqno | { readonly fault: string })[] {
  return seqnos.map((one) =>
    'fault' in one ? one : unpackSeqno(Buffer.from(packed, one.from, one.to - one.from)),
  );
}

function idToWire({ workchain, shard, seqno, rootHash, fileHash }: BlockId): BlockIdWire {
  const hashes = { rootHash: rootHash.toString('latin1'), fileHash: fileHash.toString('latin1') };
  return { workchain, shard, seqno, ...hashes };
}

function idFromWire({ rootHash, fileHash, ...place }: BlockIdWire): BlockId {
  const hashes = { rootHash: Buffer.from(rootHash, 'latin1'), fileHash: Buffer.from(fileHash, 'latin1') };
  return { ...place, ...hashes };
}

/** The fields of a state. */
export const STATE = {
  hash: bytes,
  status: oneOf<AccountStatus>('uninit', 'frozen', 'active', 'nonexist'),
  balance: big,
  balanceExtra: optional(text),
  extraIsHidden: bool,
  codeHash: optional(bytes),
  dataHash: optional(bytes),
  frozenHash: optional(bytes),
};
const ROWS = record<CopyRows>({ bytes, count: uint });

/** These may be kept for long, and a seqno has few of them: they are copied. */
export const CODE = record<ContractCode>({ hash: bytes, boc: bytes, methods: optional(list(uint)) });
const EVENT = record<EventFacts>({
  slot: uint,
  kind: oneOf<TokenRequestKind>('jetton_transfer', 'jetton_burn', 'nft_transfer'),
  aborted: bool,
  source: bytes,
  destination: optional(bytes),
});
const VALIDATOR_EVENT = record<ValidatorEventFacts>({
  slot: uint,
  type: oneOf(...VALIDATOR_EVENT_TYPES),
  holder: bytes,
  queryId: big,
  amount: big,
  stake: optional(record({ publicKey: bytes, electionId: uint, adnlAddress: bytes })),
  reason: optional(int),
});

/** Thousands of small objects would be too expensive for the receiving thread, so most parts are views of one buffer. */
const SEQNO = record<Omit<DecodedSeqno, 'accounts'>>({
  mcSeqno: uint,
  genUtime: uint,
  blockCount: uint,
  hasKeyBlock: bool,
  blocks: ROWS,
  shardStates: ROWS,
  transactions: ROWS,
  messages: ROWS,
  received: record<ReceivedRows>({
    bytes,
    rowFrom: numbers(Uint32Array),
    positionAt: numbers(Uint32Array),
  }),
  codes: list(section(CODE)),
  traces: record<TraceFacts>({
    count: uint,
    hashes: bytes,
    accounts: bytes,
    lts: numbers(BigUint64Array),
    nows: numbers(Float64Array),
    inKinds: numbers(Uint8Array),
    inHashes: bytes,
    normHashes: bytes,
    outFrom: numbers(Uint32Array),
    outHashes: bytes,
    logs: numbers(Uint16Array),
  }),
  slots: record<DecodedSeqno['slots']>({
    count: uint,
    places: bytes,
    placeOf: numbers(Uint16Array),
    states: bytes,
    stateLengths: numbers(Uint32Array),
    bags: bytes,
    bagLengths: numbers(Uint32Array),
  }),
  positions: record<PositionFields>({
    transactions: numbers(Uint32Array),
    messageFrom: numbers(Uint32Array),
    messages: numbers(Uint32Array),
  }),
  events: list(section(EVENT)),
  validators: section(
    record<ValidatorFacts>({
      elector: optional(bytes),
      config: optional(bytes),
      complaintElections: list(uint),
      events: list(section(VALIDATOR_EVENT)),
    }),
  ),
});

/** The account changes of a seqno: the code of one is given by its place among the codes. */
function changesWith(codes: readonly ContractCode[]): Packed<readonly AccountChange[]> {
  const places = new Map(codes.map(({ boc }, place) => [boc, place]));
  const change = record<AccountChange>({
    ...STATE,
    account: bytes,
    mcSeqno: uint,
    timestamp: uint,
    lastTransLt: big,
    lastTransHash: bytes,
    prevTransLt: big,
    prevTransHash: bytes,
    block: uint,
    code: optional({
      put: (writer, boc) => writer.uint(places.get(boc)!),
      take: (reader) => codes[reader.uint()]!.boc,
    }),
    data: optional(bytes),
    dataIsWhole: bool,
    before: optional(record<StateSummary>(STATE)),
  });
  return list(section(change));
}

function packSeqno(writer: PackWriter, decoded: DecodedSeqno): void {
  SEQNO.put(writer, decoded);
  changesWith(decoded.codes).put(writer, decoded.accounts);
}

function unpackSeqno(packed: Buffer): DecodedSeqno {
  const reader = new PackReader(packed);
  const seqno = SEQNO.take(reader);
  return { ...seqno, accounts: changesWith(seqno.codes).take(reader) };
}
