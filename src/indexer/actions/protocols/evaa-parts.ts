import type { Slice } from '../../../chain/boc/slice.ts';
import type { TonTransferData } from '../basic-blocks.ts';
import type { Block } from '../block.ts';
import { blockThat, type Pattern, type Surroundings } from '../pattern.ts';
import { readAccount, tryRead } from '../read-body.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

/** The id of TON among the assets of EVAA; those of jettons are made of their wallets. */
export const TON_ASSET = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

/** An asset's id as clients see it. */
export function assetText(id: bigint): string {
  return `0x${id.toString(16)}`;
}

/** A call of a user's contract: the version of its code, perhaps a newer one, and a flag stand before the opcode. */
export function userCall(opcode: number, around?: Surroundings): Pattern {
  const test = (block: Block) =>
    block.type === 'call_contract' && tryRead(() => userBody(block).uint(32)) === opcode;
  return blockThat(test, around);
}

/** The body of a call of a user's contract from its opcode on. */
export function userBody(block: Block): Slice {
  const body = block.node.body();
  body.coins();
  body.maybeRef();
  body.skip(2);
  return body;
}

/** The amount in what a user's contract answers: a query id, the owner and the asset stand before it. */
export function readAnsweredAmount(answer: Block): bigint {
  const body = answer.bodyAfterOpcode();
  body.skip(64);
  readAccount(body);
  body.skip(256);
  return body.uint64();
}

/** A transfer of jettons to EVAA's master with a request in its payload. */
export function isJettonRequest(block: Block, opcode: number): boolean {
  return block.type === 'jetton_transfer' && jettonTransferOf(block).request.payloadOpcode === opcode;
}

const REMARKS = new Set(['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']);

/** What is left over, sent with a remark that says of what. */
export const remark: Pattern = blockThat(
  (block) => block.type === 'ton_transfer' && REMARKS.has((block.data as TonTransferData).comment ?? ''),
  { optional: true },
);
