import { CellFault } from '../../boc/cell-fault.ts';
import type { AccountId } from '../../tl/names.ts';
import type { BodyReader } from './body-reader.ts';
import {
  MINT,
  type MinterBody,
  readCallTo,
  readChangeContent,
  readMint,
  readSetStatus,
} from './minter-bodies.ts';
import { readJettonBurn, readJettonTransfer, readNftTransfer, type TokenBody } from './token-bodies.ts';
import { readVestingTransfer, type VestingBody } from './vesting-body.ts';

/** What a message that an order sends asks for. */
export type OrderBody =
  | TokenBody
  | MinterBody
  | VestingBody
  | { readonly type: 'ton_transfer'; readonly comment: string; readonly encrypted: boolean }
  | { readonly type: 'single_nominator_withdraw'; readonly queryId: bigint; readonly coins: bigint }
  | {
      readonly type: 'single_nominator_change_validator';
      readonly queryId: bigint;
      readonly validator: AccountId | undefined;
    }
  /** The opcode is 0 where the body is not what its opcode says. */
  | { readonly type: 'unknown'; readonly opcode: number };

const OPCODE_BITS = 32;
/** Asks older minters for new jettons, and is not told from other things that begin with a small number. */
const OLD_MINT = 0x15;

const READERS: ReadonlyMap<number, (body: BodyReader) => OrderBody> = new Map<
  number,
  (body: BodyReader) => OrderBody
>([
  [0, (body) => ({ type: 'ton_transfer', comment: body.text(), encrypted: false })],
  [0x2167da4b, (body) => ({ type: 'ton_transfer', comment: body.text(), encrypted: true })],
  [0x0f8a7ea5, readJettonTransfer],
  [0x595f07bc, readJettonBurn],
  [0x5fcc3d14, readNftTransfer],
  [MINT, readMint],
  [0x00009fd3, (body) => ({ type: 'jetton_top_up', queryId: body.queryId() })],
  [
    0x6501f354,
    (body) => ({ type: 'jetton_change_admin', queryId: body.queryId(), newAdmin: body.account() }),
  ],
  [0xfb88e119, (body) => ({ type: 'jetton_claim_admin', queryId: body.queryId() })],
  [0xcb862902, readChangeContent],
  [0x235caf52, readCallTo],
  [0xeed236d3, readSetStatus],
  [
    0x00001000,
    (body) => ({ type: 'single_nominator_withdraw', queryId: body.queryId(), coins: body.coins() }),
  ],
  [
    0x00001001,
    (body) => ({
      type: 'single_nominator_change_validator',
      queryId: body.queryId(),
      validator: body.account(),
    }),
  ],
  [0x75097f5d, readVestingTransfer],
]);

/** Reads a body from its start; never throws. */
export function readOrderBody(body: BodyReader): OrderBody {
  try {
    if (body.slice.bitsLeft < OPCODE_BITS) return readShortText(body);
    const opcode = body.uint(OPCODE_BITS);
    if (opcode === OLD_MINT) return { type: 'unknown', opcode: 0 };
    return READERS.get(opcode)?.(body) ?? { type: 'unknown', opcode };
  } catch (error) {
    if (error instanceof CellFault) return { type: 'unknown', opcode: 0 };
    throw error;
  }
}

/** What is too short for an opcode is a text too, most often an empty one. */
function readShortText({ slice }: BodyReader): OrderBody {
  const comment = slice.bitsLeft % 8 === 0 ? slice.bytes(slice.bitsLeft / 8).toString('utf8') : '';
  return { type: 'ton_transfer', comment, encrypted: false };
}
