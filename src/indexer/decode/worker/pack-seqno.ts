import type { AccountStatus } from '../../../chain/tlb/transaction-status.ts';
import type { AccountChange, CopyRows, DecodedSeqno, StateSummary, TraceFacts } from '../decoded-seqno.ts';
import { putEvent } from './pack-event.ts';
import { PackWriter } from './pack-writer.ts';

/** Statuses by the numbers that stand for them. */
export const STATUSES: readonly AccountStatus[] = ['uninit', 'frozen', 'active', 'nonexist'];

/** Packs a seqno in one buffer: thousands of small objects would cost the thread that gets them too much. */
export function packSeqno(decoded: DecodedSeqno): ArrayBuffer {
  const writer = new PackWriter();
  writer.uint(decoded.mcSeqno);
  writer.uint(decoded.genUtime);
  writer.uint(decoded.blockCount);
  writer.uint(decoded.hasKeyBlock ? 1 : 0);
  putRows(writer, decoded.blocks);
  putRows(writer, decoded.shardStates);
  putRows(writer, decoded.transactions);
  putRows(writer, decoded.messages);
  writer.uint(decoded.contents.length);
  for (const { hash, boc } of decoded.contents) {
    writer.bytes(hash);
    writer.bytes(boc);
  }
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
  writer.uint(decoded.accounts.length);
  for (const change of decoded.accounts) writer.section(() => putChange(writer, change, codes));
  writer.uint(decoded.events.length);
  for (const event of decoded.events) writer.section(() => putEvent(writer, event));
  return writer.finish();
}

function putRows(writer: PackWriter, { bytes, count }: CopyRows): void {
  writer.bytes(bytes);
  writer.uint(count);
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
  writer.numbers(traces.traceIdAt);
}

/** `codes` has the numbers of the codes that were written. */
function putChange(writer: PackWriter, change: AccountChange, codes: ReadonlyMap<Buffer, number>): void {
  putState(writer, change);
  writer.bytes(change.account);
  writer.uint(change.mcSeqno);
  writer.uint(change.timestamp);
  writer.big(change.lastTransLt);
  writer.bytes(change.lastTransHash);
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
