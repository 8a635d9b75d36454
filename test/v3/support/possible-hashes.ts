import {
  Address,
  type Builder,
  beginCell,
  Cell,
  type CommonMessageInfo,
  Dictionary,
  storeCommonMessageInfo,
} from '@ton/core';
import type { MessageJson } from '../../../src/v3/messages.ts';

/** Hashes of all messages with the content of a response; they differ in where body and initial state are stored. */
export function possibleHashes(shown: MessageJson): string[] {
  const body = Cell.fromBase64(shown.message_content!.body!);
  const init = shown.init_state && Cell.fromBase64(shown.init_state.body!);
  const forms = [true, false].flatMap((initInRef) =>
    [true, false].map((bodyInRef) => ({ initInRef, bodyInRef })),
  );
  return forms.flatMap(({ initInRef, bodyInRef }) => {
    const cell = beginCell().store(storeCommonMessageInfo(infoOf(shown)));
    cell.storeBit(init !== null);
    try {
      if (init !== null) put(cell, init, initInRef);
      return [put(cell, body, bodyInRef).endCell().hash().toString('base64')];
    } catch {
      // They do not fit into the cell.
      return [];
    }
  });
}

function put(into: Builder, cell: Cell, inRef: boolean): Builder {
  into.storeBit(inRef);
  return inRef ? into.storeRef(cell) : into.storeSlice(cell.beginParse());
}

function infoOf(shown: MessageJson): CommonMessageInfo {
  const [src, dest] = [shown.source, shown.destination].map((text) =>
    text === null ? null : Address.parseRaw(text),
  );
  if (shown.created_at === null)
    return { type: 'external-in', dest: dest!, importFee: BigInt(shown.import_fee!) };
  const created = { createdLt: BigInt(shown.created_lt!), createdAt: Number(shown.created_at) };
  if (shown.value === null) return { type: 'external-out', src: src!, ...created };
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of Object.entries(shown.value_extra_currencies ?? {}))
    other.set(Number(id), BigInt(amount as string));
  return {
    type: 'internal',
    src: src!,
    dest: dest!,
    ...created,
    ihrDisabled: shown.ihr_disabled!,
    bounce: shown.bounce!,
    bounced: shown.bounced!,
    value: { coins: BigInt(shown.value), ...(other.size > 0 && { other }) },
    // One field of the message is both.
    ihrFee: BigInt(shown.ihr_fee!) + BigInt(shown.extra_flags ?? 0),
    forwardFee: BigInt(shown.fwd_fee!),
  };
}
