import { CellError } from '../../../chain/boc/cells.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import { type Block, type BlockContent, compose } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, call, type Found } from '../../rules/pattern.ts';
import {
  type Comment,
  ENCRYPTED_COMMENT,
  readAccount,
  readComment,
  readMaybeRef,
  restAsBoc,
} from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';

export const JETTON_TRANSFER = 0x0f8a7ea5;
export const JETTON_INTERNAL_TRANSFER = 0x178d4519;
export const JETTON_NOTIFICATION = 0x7362d09c;

/** pTON masters. */
export const PTON_MASTERS: ReadonlySet<string> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
]);

/** Data of a jetton transfer. */
export interface JettonTransferData {
  readonly hasInternalTransfer: boolean;
  readonly sender: string | null;
  readonly senderWallet: string | null;
  readonly receiver: string | null;
  readonly receiverWallet: string | null;
  /** The jetton master; null if the wallet is unknown. */
  readonly asset: string | null;
  readonly amount: bigint;
  readonly forwardAmount: bigint;
  readonly request: TransferRequest;
}

interface TransferRequest extends Comment {
  readonly queryId: bigint;
  readonly amount: bigint;
  readonly destination: string | null;
  readonly responseDestination: string | null;
  readonly forwardAmount: bigint;
  readonly customPayload: string | null;
  readonly forwardPayload: string | null;
  /** The first 32 bits of the forward payload. */
  readonly payloadOpcode: number | null;
  /** A new slice of the forward payload. */
  payload(): Slice | undefined;
}

/** The data of a jetton transfer; throws RuleMismatch for other blocks. */
export function jettonTransferOf(block: Block): JettonTransferData {
  if (block.type !== 'jetton_transfer') throw new RuleMismatch('not a jetton transfer');
  return block.data as JettonTransferData;
}

function readRequest(block: Block): TransferRequest {
  const body = block.bodyAfterOpcode();
  const queryId = body.uint64();
  const amount = body.coins();
  const destination = readAccount(body);
  const responseDestination = readAccount(body);
  const custom = readMaybeRef(body);
  const forwardAmount = body.coins();
  const payload = body.bitsLeft > 0 ? (body.boolean() ? body.refSlice() : body) : undefined;
  const present = payload !== undefined && payload.bitsLeft > 0;
  return {
    queryId,
    amount,
    destination,
    responseDestination,
    forwardAmount,
    customPayload: custom ? restAsBoc(custom) : null,
    forwardPayload: present ? restAsBoc(payload) : null,
    payloadOpcode: present && payload.bitsLeft >= 32 ? payload.peek(32) : null,
    payload: () => payload?.clone(),
    ...readPayloadComment(present ? payload.clone() : undefined),
  };
}

const NO_COMMENT: Comment = { comment: null, encrypted: false };

function readPayloadComment(payload: Slice | undefined): Comment {
  if (!payload || payload.bitsLeft < 32) return NO_COMMENT;
  const opcode = payload.peek(32);
  return opcode === 0 || opcode === ENCRYPTED_COMMENT ? readComment(payload, 'any') : NO_COMMENT;
}

function transferBlock(data: JettonTransferData, failed: boolean): BlockContent<JettonTransferData> {
  const { request } = data;
  return {
    type: 'jetton_transfer',
    data,
    failed,
    describe: () => ({
      source: data.sender,
      source_secondary: data.senderWallet,
      destination: data.receiver,
      destination_secondary: data.receiverWallet,
      asset: data.asset,
      amount: data.amount,
      data: {
        jetton_transfer_data: {
          query_id: request.queryId,
          response_destination: request.responseDestination,
          forward_amount: data.forwardAmount,
          custom_payload: request.customPayload,
          forward_payload: request.forwardPayload,
          comment: request.comment,
          is_encrypted_comment: request.encrypted,
        },
      },
    }),
  };
}

/** The internal transfer, which takes precedence over the request. */
function readInternal(
  internal: Block,
): { readonly amount: bigint; readonly forwardAmount: bigint } | undefined {
  try {
    const body = internal.bodyAfterOpcode();
    body.uint64();
    const amount = body.coins();
    skipMsgAddress(body);
    skipMsgAddress(body);
    return { amount, forwardAmount: body.coins() };
  } catch (error) {
    if (error instanceof CellError || error instanceof RuleMismatch) return undefined;
    throw error;
  }
}

/** A transfer from wallet to wallet. */
export const jettonTransfer: Rule = {
  name: 'jetton transfer',
  test: (block) => block.calls(JETTON_TRANSFER),
  around: {
    each: call(JETTON_INTERNAL_TRANSFER, { each: call(JETTON_NOTIFICATION, { optional: true }) }),
  },
  build(block, found, { interfaces }) {
    const request = readRequest(block);
    const internal = found.call(JETTON_INTERNAL_TRANSFER);
    const wallet = interfaces.jettonWallet(internal?.message.destination ?? '');
    if (!internal || !wallet) return;
    const data = {
      hasInternalTransfer: true,
      sender: block.message.source,
      senderWallet: block.message.destination,
      receiver: wallet.owner,
      receiverWallet: internal.message.destination,
      asset: wallet.jetton,
      amount: request.amount,
      forwardAmount: request.forwardAmount,
      ...readInternal(internal),
      request,
    };
    compose(transferBlock(data, block.failed || internal.failed), [block, ...found.blocks]);
  },
};

function composeWithoutInternal(block: Block, found: Found, wallets: Partial<JettonTransferData>): void {
  const request = readRequest(block);
  const data = {
    hasInternalTransfer: false,
    sender: block.message.source,
    senderWallet: null,
    receiver: request.destination,
    receiverWallet: null,
    asset: null,
    amount: request.amount,
    forwardAmount: request.forwardAmount,
    ...wallets,
    request,
  };
  compose(transferBlock(data, block.failed), [block, ...found.blocks]);
}

/** A pTON transfer; the sending wallet notifies the receiver itself. */
export const ptonTransfer: Rule = {
  name: 'pTON transfer',
  test: (block) => block.calls(JETTON_TRANSFER),
  around: { each: call(JETTON_NOTIFICATION, { optional: true }) },
  build(block, found, { interfaces }) {
    const wallet = interfaces.jettonWallet(block.message.destination ?? '');
    if (wallet && PTON_MASTERS.has(wallet.jetton))
      composeWithoutInternal(block, found, { asset: wallet.jetton });
  },
};

/** A transfer in a message that the wallet rejected. */
export const intendedJettonTransfer: Rule = {
  name: 'intended jetton transfer',
  test: (block) => block.calls(JETTON_TRANSFER),
  build(block, found, { interfaces }) {
    const senderWallet = block.message.destination;
    const asset = interfaces.jettonWallet(senderWallet ?? '')?.jetton ?? null;
    composeWithoutInternal(block, found, { senderWallet, asset });
  },
};

export const JETTON_BURN = 0x595f07bc;
export const JETTON_BURN_NOTIFICATION = 0x7bdd97de;
const JETTON_MINT = 0x642b7d07;
const MINTER_MINT = 0x00000015;

/** Data of a burn. */
interface JettonBurnData {
  readonly owner: string;
  readonly wallet: string | null;
  readonly asset: string;
  readonly amount: bigint;
}

/** The data of a burn; throws RuleMismatch for other blocks. */
export function jettonBurnOf(block: Block): JettonBurnData {
  if (block.type !== 'jetton_burn') throw new RuleMismatch('not a jetton burn');
  return block.data as JettonBurnData;
}

/** The owner of a wallet burns jettons. */
export const jettonBurn: Rule = {
  name: 'jetton burn',
  test: (block) => block.calls(JETTON_BURN),
  around: { each: call(JETTON_BURN_NOTIFICATION, { optional: true }) },
  build(block, found, { interfaces }) {
    const body = block.bodyAfterOpcode();
    body.uint64();
    const amount = body.coins();
    skipMsgAddress(body);
    const wallet = interfaces.jettonWallet(block.message.destination ?? '');
    if (!wallet) return;
    const data: JettonBurnData = {
      owner: wallet.owner,
      wallet: block.message.destination,
      asset: wallet.jetton,
      amount,
    };
    const describe = () => ({
      source: data.owner,
      source_secondary: data.wallet,
      asset: data.asset,
      amount: data.amount,
    });
    compose({ type: 'jetton_burn', data, failed: block.failed, describe }, [block, ...found.blocks]);
  },
};

/** Data of a mint. */
interface JettonMintData {
  readonly to: string | null;
  readonly toWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint | null;
  readonly tonAmount: bigint;
}

/** The data of a mint; throws RuleMismatch for other blocks. */
export function jettonMintOf(block: Block): JettonMintData {
  if (block.type !== 'jetton_mint') throw new RuleMismatch('not a jetton mint');
  return block.data as JettonMintData;
}

interface MintRequest {
  /** At an address that may be of any kind because it is not used. */
  readonly to: Slice;
  readonly tonAmount: bigint;
  /** Only the standard minter has it in its own message. */
  readonly amount: bigint | null;
}

function readMint(block: Block): MintRequest {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const to = body.clone();
  skipMsgAddress(body);
  const tonAmount = body.coins();
  if (block.opcode !== MINTER_MINT) return { to, tonAmount, amount: null };
  const inner = body.refSlice();
  inner.skip(32 + 64);
  return { to, tonAmount, amount: inner.coins() };
}

function mintData(
  block: Block,
  internal: Block | undefined,
  interfaces: Interfaces,
): Pick<BlockContent<JettonMintData>, 'failed' | 'data'> {
  const { to, tonAmount, amount } = readMint(block);
  if (block.failed || !internal) {
    return {
      failed: true,
      data: { to: readAccount(to), toWallet: null, asset: block.message.destination, amount, tonAmount },
    };
  }
  const body = internal.bodyAfterOpcode();
  body.uint64();
  const minted = body.coins();
  const wallet = interfaces.jettonWallet(internal.message.destination ?? '');
  if (!wallet) throw new RuleMismatch('unknown wallet');
  const data = {
    to: wallet.owner,
    toWallet: wallet.address,
    asset: wallet.jetton,
    amount: minted,
    tonAmount,
  };
  return { failed: internal.failed, data };
}

/** A master mints jettons. */
export const jettonMint: Rule = {
  name: 'jetton mint',
  test: (block) => block.calls(JETTON_MINT, MINTER_MINT),
  around: {
    each: anyOf(
      [
        call(JETTON_NOTIFICATION),
        call(JETTON_INTERNAL_TRANSFER, { each: call(JETTON_NOTIFICATION, { optional: true }) }),
      ],
      { optional: true },
    ),
  },
  build(block, found, { interfaces }) {
    const { data, failed } = mintData(block, found.call(JETTON_INTERNAL_TRANSFER), interfaces);
    const describe = () => ({
      destination: data.to,
      destination_secondary: data.toWallet,
      asset: data.asset,
      amount: data.amount,
      value: data.tonAmount,
    });
    compose({ type: 'jetton_mint', data, failed: failed ?? false, describe }, [block, ...found.blocks]);
  },
};
