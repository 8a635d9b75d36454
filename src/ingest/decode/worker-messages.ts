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
import { PackReader, PackWriter } from './packing.ts';

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

/** The decoded seqnos of a reply. */
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

/** Statuses by their packed numbers. */
const STATUSES: readonly AccountStatus[] = ['uninit', 'frozen', 'active', 'nonexist'];

/** Packs a seqno: thousands of small objects would be too expensive for the receiving thread. */
function packSeqno(writer: PackWriter, decoded: DecodedSeqno): void {
  writer.uint(decoded.mcSeqno);
  writer.uint(decoded.genUtime);
  writer.uint(decoded.blockCount);
  writer.uint(decoded.hasKeyBlock ? 1 : 0);
  putRows(writer, decoded.blocks);
  putRows(writer, decoded.shardStates);
  putRows(writer, decoded.transactions);
  putRows(writer, decoded.messages);
  putReceived(writer, decoded.received);
  const codes = new Map<Buffer, number>();
  writer.uint(decoded.codes.length);
  for (const { hash, boc, methods } of decoded.codes) {
    codes.set(boc, codes.size);
    writer.section(() => {
      writer.bytes(hash);
      writer.bytes(boc);
      writer.uint(methods === undefined ? 0 : 1);
      writer.uint(methods?.length ?? 0);
      for (const id of methods ?? []) writer.uint(id);
    });
  }
  putTraces(writer, decoded.traces);
  putSlots(writer, decoded.slots);
  putPositions(writer, decoded.positions);
  writer.uint(decoded.accounts.length);
  for (const change of decoded.accounts) writer.section(() => putChange(writer, change, codes));
  writer.uint(decoded.events.length);
  for (const event of decoded.events) writer.section(() => putEvent(writer, event));
  writer.section(() => putValidators(writer, decoded.validators));
}

function putRows(writer: PackWriter, { bytes, count }: CopyRows): void {
  writer.bytes(bytes);
  writer.uint(count);
}

function putReceived(writer: PackWriter, { bytes, rowFrom, positionAt }: ReceivedRows): void {
  writer.bytes(bytes);
  writer.numbers(rowFrom);
  writer.numbers(positionAt);
}

function putTraces(writer: PackWriter, traces: TraceFacts): void {
  writer.uint(traces.count);
  writer.bytes(traces.hashes);
  writer.bytes(traces.accounts);
  writer.numbers(traces.lts);
  writer.numbers(traces.nows);
  writer.numbers(traces.inKinds);
  writer.bytes(traces.inHashes);
  writer.bytes(traces.normHashes);
  writer.numbers(traces.outFrom);
  writer.bytes(traces.outHashes);
  writer.numbers(traces.logs);
}

function putSlots(writer: PackWriter, slots: DecodedSeqno['slots']): void {
  writer.uint(slots.count);
  writer.bytes(slots.places);
  writer.numbers(slots.placeOf);
  writer.bytes(slots.states);
  writer.numbers(slots.stateLengths);
  writer.bytes(slots.bags);
  writer.numbers(slots.bagLengths);
}

function putPositions(writer: PackWriter, positions: PositionFields): void {
  writer.numbers(positions.transactions);
  writer.numbers(positions.messageFrom);
  writer.numbers(positions.messages);
}

/** `codes` has the indexes of the packed codes. */
function putChange(writer: PackWriter, change: AccountChange, codes: ReadonlyMap<Buffer, number>): void {
  putState(writer, change);
  writer.bytes(change.account);
  writer.uint(change.mcSeqno);
  writer.uint(change.timestamp);
  writer.big(change.lastTransLt);
  writer.bytes(change.lastTransHash);
  writer.big(change.prevTransLt);
  writer.bytes(change.prevTransHash);
  writer.uint(change.block);
  writer.uint(change.code === undefined ? 0 : codes.get(change.code)! + 1);
  writer.bytes(change.data);
  writer.uint(change.dataIsWhole ? 1 : 0);
  writer.uint(change.before === undefined ? 0 : 1);
  if (change.before !== undefined) putState(writer, change.before);
}

function putState(writer: PackWriter, state: StateSummary): void {
  writer.bytes(state.hash);
  writer.uint(STATUSES.indexOf(state.status));
  writer.big(state.balance);
  writer.text(state.balanceExtra);
  writer.uint(state.extraIsHidden ? 1 : 0);
  writer.bytes(state.codeHash);
  writer.bytes(state.dataHash);
  writer.bytes(state.frozenHash);
}

// Fields are in packed order: an object literal evaluates them from top to bottom.

/** Unpacks a seqno. Codes, account changes, events and what is known of validators are copied, because they may be kept; the rest are views of one buffer. */
function unpackSeqno(packed: Buffer): DecodedSeqno {
  const reader = new PackReader(packed);
  const head = {
    mcSeqno: reader.uint(),
    genUtime: reader.uint(),
    blockCount: reader.uint(),
    hasKeyBlock: reader.uint() === 1,
  };
  const rows = {
    blocks: takeRows(reader),
    shardStates: takeRows(reader),
    transactions: takeRows(reader),
    messages: takeRows(reader),
    received: takeReceived(reader),
  };
  const codes = reader.list(() => takeCode(reader.section()));
  const traces = takeTraces(reader);
  const slots = takeSlots(reader);
  const positions = takePositions(reader);
  const accounts = reader.list(() => takeChange(reader.section(), codes));
  const events = reader.list(() => takeEvent(reader.section()));
  const validators = takeValidators(reader.section());
  return { ...head, ...rows, codes, traces, slots, positions, accounts, events, validators };
}

function takeRows(reader: PackReader): CopyRows {
  return { bytes: reader.bytes(), count: reader.uint() };
}

function takeReceived(reader: PackReader): ReceivedRows {
  return {
    bytes: reader.bytes(),
    rowFrom: new Uint32Array(reader.numbers()),
    positionAt: new Uint32Array(reader.numbers()),
  };
}

function takeCode(reader: PackReader): ContractCode {
  const content = { hash: reader.bytes(), boc: reader.bytes() };
  const hasMethods = reader.uint() === 1;
  const methods = reader.list(() => reader.uint());
  return { ...content, methods: hasMethods ? methods : undefined };
}

function takeTraces(reader: PackReader): TraceFacts {
  return {
    count: reader.uint(),
    hashes: reader.bytes(),
    accounts: reader.bytes(),
    lts: new BigUint64Array(reader.numbers()),
    nows: new Float64Array(reader.numbers()),
    inKinds: new Uint8Array(reader.numbers()),
    inHashes: reader.bytes(),
    normHashes: reader.bytes(),
    outFrom: new Uint32Array(reader.numbers()),
    outHashes: reader.bytes(),
    logs: new Uint16Array(reader.numbers()),
  };
}

function takeSlots(reader: PackReader): DecodedSeqno['slots'] {
  return {
    count: reader.uint(),
    places: reader.bytes(),
    placeOf: new Uint16Array(reader.numbers()),
    states: reader.bytes(),
    stateLengths: new Uint32Array(reader.numbers()),
    bags: reader.bytes(),
    bagLengths: new Uint32Array(reader.numbers()),
  };
}

function takePositions(reader: PackReader): PositionFields {
  return {
    transactions: new Uint32Array(reader.numbers()),
    messageFrom: new Uint32Array(reader.numbers()),
    messages: new Uint32Array(reader.numbers()),
  };
}

function takeChange(reader: PackReader, codes: readonly ContractCode[]): AccountChange {
  return {
    ...takeState(reader),
    account: reader.bytes(),
    mcSeqno: reader.uint(),
    timestamp: reader.uint(),
    lastTransLt: reader.big(),
    lastTransHash: reader.bytes(),
    prevTransLt: reader.big(),
    prevTransHash: reader.bytes(),
    block: reader.uint(),
    code: codes[reader.uint() - 1]?.boc,
    data: reader.maybeBytes(),
    dataIsWhole: reader.uint() === 1,
    before: reader.uint() === 1 ? takeState(reader) : undefined,
  };
}

function takeState(reader: PackReader): StateSummary {
  return {
    hash: reader.bytes(),
    status: STATUSES[reader.uint()]!,
    balance: reader.big(),
    balanceExtra: reader.maybeText(),
    extraIsHidden: reader.uint() === 1,
    codeHash: reader.maybeBytes(),
    dataHash: reader.maybeBytes(),
    frozenHash: reader.maybeBytes(),
  };
}

/** Kinds by their packed numbers. */
const KINDS: readonly TokenRequestKind[] = ['jetton_transfer', 'jetton_burn', 'nft_transfer'];

/** Packs an event. */
function putEvent(writer: PackWriter, event: EventFacts): void {
  writer.uint(event.slot);
  writer.uint(KINDS.indexOf(event.kind));
  writer.uint(event.aborted ? 1 : 0);
  writer.bytes(event.source);
  writer.bytes(event.destination);
}

/** Unpacks an event; its bytes are views. */
function takeEvent(reader: PackReader): EventFacts {
  // Fields are in packed order.
  return {
    slot: reader.uint(),
    kind: KINDS[reader.uint()]!,
    aborted: reader.uint() === 1,
    source: reader.bytes(),
    destination: reader.maybeBytes(),
  };
}

function putValidators(writer: PackWriter, validators: ValidatorFacts): void {
  writer.bytes(validators.elector);
  writer.bytes(validators.config);
  writer.uint(validators.complaintElections.length);
  for (const election of validators.complaintElections) writer.uint(election);
  writer.uint(validators.events.length);
  for (const event of validators.events) writer.section(() => putValidatorEvent(writer, event));
}

function takeValidators(reader: PackReader): ValidatorFacts {
  return {
    elector: reader.maybeBytes(),
    config: reader.maybeBytes(),
    complaintElections: reader.list(() => reader.uint()),
    events: reader.list(() => takeValidatorEvent(reader.section())),
  };
}

/** Reasons are signed. */
const REASON_OFFSET = 2n ** 31n;

function putValidatorEvent(writer: PackWriter, event: ValidatorEventFacts): void {
  const { stake, reason } = event;
  writer.uint(event.slot);
  writer.uint(VALIDATOR_EVENT_TYPES.indexOf(event.type));
  writer.bytes(event.holder);
  writer.big(event.queryId);
  writer.big(event.amount);
  writer.uint(stake === undefined ? 0 : 1);
  if (stake !== undefined) {
    writer.bytes(stake.publicKey);
    writer.uint(stake.electionId);
    writer.bytes(stake.adnlAddress);
  }
  writer.uint(reason === undefined ? 0 : 1);
  if (reason !== undefined) writer.big(BigInt(reason) + REASON_OFFSET);
}

function takeValidatorEvent(reader: PackReader): ValidatorEventFacts {
  return {
    slot: reader.uint(),
    type: VALIDATOR_EVENT_TYPES[reader.uint()]!,
    holder: reader.bytes(),
    queryId: reader.big(),
    amount: reader.big(),
    stake:
      reader.uint() === 1
        ? { publicKey: reader.bytes(), electionId: reader.uint(), adnlAddress: reader.bytes() }
        : undefined,
    reason: reader.uint() === 1 ? Number(reader.big() - REASON_OFFSET) : undefined,
  };
}
