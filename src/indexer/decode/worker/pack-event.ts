import type { EventKind } from '../../../db/event-tables.ts';
import type { EventFacts } from '../event-facts.ts';
import type { PackReader } from './pack-reader.ts';
import type { PackWriter } from './pack-writer.ts';

/** Kinds by the numbers that stand for them. */
const KINDS: readonly EventKind[] = ['jetton_transfer', 'jetton_burn', 'nft_transfer'];

/** Writes an event, to be read by `takeEvent`. */
export function putEvent(writer: PackWriter, event: EventFacts): void {
  writer.uint(KINDS.indexOf(event.kind));
  writer.bytes(event.account);
  writer.big(event.lt);
  writer.uint(event.mcSeqno);
  writer.uint(event.now);
  writer.uint(event.aborted ? 1 : 0);
  writer.big(event.queryId);
  putMaybe(writer, event.amount);
  writer.bytes(event.source);
  writer.bytes(event.destination);
  writer.bytes(event.responseDestination);
  writer.bytes(event.customPayload);
  putMaybe(writer, event.forwardAmount);
  writer.bytes(event.forwardPayload);
}

/** Reads an event; its bytes are views. */
export function takeEvent(reader: PackReader): EventFacts {
  // Fields stand in the order in which they were written.
  return {
    kind: KINDS[reader.uint()]!,
    account: reader.bytes(),
    lt: reader.big(),
    mcSeqno: reader.uint(),
    now: reader.uint(),
    aborted: reader.uint() === 1,
    queryId: reader.big(),
    amount: takeMaybe(reader),
    source: reader.bytes(),
    destination: reader.maybeBytes(),
    responseDestination: reader.maybeBytes(),
    customPayload: reader.maybeBytes(),
    forwardAmount: takeMaybe(reader),
    forwardPayload: reader.maybeBytes(),
  };
}

function putMaybe(writer: PackWriter, value: bigint | undefined): void {
  writer.uint(value === undefined ? 0 : 1);
  if (value !== undefined) writer.big(value);
}

function takeMaybe(reader: PackReader): bigint | undefined {
  return reader.uint() === 1 ? reader.big() : undefined;
}
