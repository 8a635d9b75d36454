import { CellFault } from '../../boc/cell-fault.ts';
import type { AccountId } from '../../tl/names.ts';
import { wholeCell } from '../../tlb/message-part.ts';
import type { BodyReader } from './body-reader.ts';

/** What the minter of a jetton asks a wallet of the jetton to do. */
export type CalledAction = 'set_status' | 'transfer' | 'burn' | 'unknown';

/** A request to the minter of a jetton, or to a wallet of a jetton that can be locked. */
export type MinterBody =
  | {
      readonly type: 'jetton_mint';
      readonly opcode: number;
      readonly queryId: bigint;
      readonly to: AccountId | undefined;
      readonly tonAmount: bigint;
      /** Of the message to the wallet. */
      readonly innerQueryId: bigint;
      readonly jettonAmount: bigint;
    }
  | { readonly type: 'jetton_top_up' | 'jetton_claim_admin'; readonly queryId: bigint }
  | {
      readonly type: 'jetton_change_admin';
      readonly queryId: bigint;
      readonly newAdmin: AccountId | undefined;
    }
  | { readonly type: 'jetton_change_content'; readonly queryId: bigint; readonly newUrl: string }
  | {
      readonly type: 'jetton_call_to';
      readonly queryId: bigint;
      readonly to: AccountId | undefined;
      readonly tonAmount: bigint;
      /** Undefined, as its bag of cells, where there is none. */
      readonly action: CalledAction | undefined;
      readonly actionData: Buffer | undefined;
    }
  | { readonly type: 'jetton_set_status'; readonly queryId: bigint; readonly status: number };

/** Asks for new jettons. */
export const MINT = 0x642b7d07;

const INTERNAL_TRANSFER = 0x178d4519;
const OPCODE_BITS = 32;
const STATUS_BITS = 4;
const CALLED: ReadonlyMap<number, CalledAction> = new Map([
  [0xeed236d3, 'set_status'],
  [0x0f8a7ea5, 'transfer'],
  [0x595f07bc, 'burn'],
]);

/** Reads a request for new jettons, after its opcode. */
export function readMint(body: BodyReader): MinterBody {
  const request = { queryId: body.queryId(), to: body.account(), tonAmount: body.coins() };
  const inner = body.next();
  if (inner.uint(OPCODE_BITS) !== INTERNAL_TRANSFER) throw new CellFault('a mint of something else');
  return {
    type: 'jetton_mint',
    opcode: MINT,
    ...request,
    innerQueryId: inner.queryId(),
    jettonAmount: inner.coins(),
  };
}

/** Reads a new address of the metadata, after its opcode: in a reference, or in the body itself. */
export function readChangeContent(body: BodyReader): MinterBody {
  const queryId = body.queryId();
  const newUrl = body.slice.bitsLeft === 0 && !body.isEmpty ? body.next().text() : body.text();
  return { type: 'jetton_change_content', queryId, newUrl };
}

/** Reads a request to a wallet that goes through the minter, after its opcode. */
export function readCallTo(body: BodyReader): MinterBody {
  const { slice } = body;
  return {
    type: 'jetton_call_to',
    queryId: body.queryId(),
    to: body.account(),
    tonAmount: body.coins(),
    ...(slice.refsLeft === 0 ? { action: undefined, actionData: undefined } : readCalled(body, slice.ref())),
  };
}

function readCalled(body: BodyReader, cell: number) {
  const { cells } = body.slice;
  const isShort = cells.isExotic(cell) || cells.bits[cell]! < OPCODE_BITS;
  const opcode = isShort ? -1 : cells.bytes.readUInt32BE(cells.starts[cell]!);
  return { action: CALLED.get(opcode) ?? 'unknown', actionData: body.boc(wholeCell(cells, cell)) };
}

/** Reads the locking of a wallet, after its opcode. */
export function readSetStatus(body: BodyReader): MinterBody {
  return { type: 'jetton_set_status', queryId: body.queryId(), status: body.uint(STATUS_BITS) };
}
