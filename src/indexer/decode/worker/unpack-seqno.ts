import type {
  AccountChange,
  ContractCode,
  CopyRows,
  DecodedSeqno,
  StateSummary,
  TraceFacts,
} from '../decoded-seqno.ts';
import { takeEvent } from './pack-event.ts';
import { PackReader } from './pack-reader.ts';
import { STATUSES } from './pack-seqno.ts';

// Fields stand in the order in which they were written: an object literal evaluates them from top to bottom.

/** Unpacks a seqno. Codes, account changes and events are copied, because they may be kept; all else are views of one buffer. */
export function unpackSeqno(packed: ArrayBuffer): DecodedSeqno {
  const reader = new PackReader(Buffer.from(packed));
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
  };
  const contents = reader.list(() => ({ hash: reader.bytes(), boc: reader.bytes() }));
  const codes = reader.list(() => takeCode(reader.section()));
  const traces = takeTraces(reader);
  const accounts = reader.list(() => takeChange(reader.section(), codes));
  const events = reader.list(() => takeEvent(reader.section()));
  return { ...head, ...rows, contents, codes, traces, accounts, events };
}

function takeRows(reader: PackReader): CopyRows {
  return { bytes: reader.bytes(), count: reader.uint() };
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
    traceIdAt: new Uint32Array(reader.numbers()),
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
