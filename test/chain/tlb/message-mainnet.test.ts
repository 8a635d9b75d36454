import { existsSync, readFileSync } from 'node:fs';
import { Address, beginCell, Cell, type CommonMessageInfo, storeMessage } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { formatRaw } from '../../../src/chain/address.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { type Message, readMessage } from '../../../src/chain/tlb/message.ts';
import type { MsgAddress } from '../../../src/chain/tlb/msg-address.ts';

const FOLDER = new URL('../../../../shared/data/mainnet/', import.meta.url);
const missing = existsSync(FOLDER) ? '' : ' (skipped: the mainnet messages are not beside this checkout)';

describe.skipIf(missing !== '')(`messages of mainnet${missing}`, () => {
  // The files hold no bytes, only what a message says: it is built from that, and must say the same when it is read.
  it.each(['message-1.json', 'message-2.json'])('%s', (name) => {
    const expected = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
    const body = Cell.fromBoc(Buffer.from(expected.Body.Value, 'hex'))[0]!;
    const cell = beginCell()
      .store(storeMessage({ info: infoFrom(expected.Info), body }, { forceRef: expected.Body.IsRight }))
      .endCell();
    const bag = readBoc(cell.toBoc());
    const message = readMessage(bag, bag.root);
    expect(infoForm(message)).toEqual(expected.Info);
    expect(message.init).toBeUndefined();
    expect(message.body.whole).toBe(expected.Body.IsRight);
    expect(message.bodyHash).toEqual(body.hash());
  });
});

function infoFrom({ IntMsgInfo: int, ExtInMsgInfo: ext }: ReturnType<typeof infoForm>): CommonMessageInfo {
  if (int === null)
    return { type: 'external-in', dest: Address.parse(ext!.Dest), importFee: BigInt(ext!.ImportFee) };
  return {
    type: 'internal',
    ihrDisabled: int.IhrDisabled,
    bounce: int.Bounce,
    bounced: int.Bounced,
    src: Address.parse(int.Src),
    dest: Address.parse(int.Dest),
    value: { coins: BigInt(int.Value.Grams) },
    ihrFee: BigInt(int.IhrFee),
    forwardFee: BigInt(int.FwdFee),
    createdLt: BigInt(int.CreatedLt),
    createdAt: int.CreatedAt,
  };
}

/** The header of a message in the form of the files. */
function infoForm({ info }: Message) {
  return {
    SumType: info.kind === 'internal' ? 'IntMsgInfo' : 'ExtInMsgInfo',
    IntMsgInfo:
      info.kind !== 'internal'
        ? null
        : {
            IhrDisabled: info.ihrDisabled,
            Bounce: info.bounce,
            Bounced: info.bounced,
            Src: raw(info.src),
            Dest: raw(info.dest),
            Value: { Grams: `${info.value.grams}`, Other: {} },
            IhrFee: `${info.extraFlags}`,
            FwdFee: `${info.fwdFee}`,
            CreatedLt: Number(info.createdLt),
            CreatedAt: info.createdAt,
          },
    ExtInMsgInfo:
      info.kind !== 'external-in'
        ? null
        : { Src: raw(info.src), Dest: raw(info.dest), ImportFee: `${info.importFee}` },
    ExtOutMsgInfo: null,
  };
}

function raw(address: MsgAddress): string {
  return address.kind === 'std' ? formatRaw(address, 'lower') : '';
}
