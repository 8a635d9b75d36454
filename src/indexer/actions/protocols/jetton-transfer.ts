import { CellFault } from '../../../chain/boc/cell-fault.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block, BlockContent } from '../block.ts';
import { compose } from '../compose.ts';
import { call, type Found } from '../pattern.ts';
import { readAccount, readMaybeRef, restAsBoc } from '../read-body.ts';
import { type Comment, ENCRYPTED_COMMENT, readComment } from '../read-comment.ts';
import { NotThis, type Rule } from '../rule.ts';

export const JETTON_TRANSFER = 0x0f8a7ea5;
export const JETTON_INTERNAL_TRANSFER = 0x178d4519;
export const JETTON_NOTIFICATION = 0x7362d09c;

/** Masters whose jetton is TON in the form of a jetton. */
export const PTON_MASTERS: ReadonlySet<string> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
]);

/** What later rules read of a transfer of jettons. */
export interface JettonTransferData {
  readonly hasInternalTransfer: boolean;
  readonly sender: string | null;
  readonly senderWallet: string | null;
  readonly receiver: string | null;
  readonly receiverWallet: string | null;
  /** The master; null where the wallet is not known. */
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
  /** The first 32 bits of the forwarded payload. */
  readonly payloadOpcode: number | null;
  /** A new cursor at the start of the forwarded payload. */
  payload(): Slice | undefined;
}

/** A transfer of jettons; throws where a block is something else. */
export function jettonTransferOf(block: Block): JettonTransferData {
  if (block.type !== 'jetton_transfer') throw new NotThis('not a transfer of jettons');
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

/** What the receiving wallet was told, which counts more than what was asked for. */
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
    if (error instanceof CellFault || error instanceof NotThis) return undefined;
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

/** A transfer of TON in the form of a jetton, whose wallet tells the receiver itself. */
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

/** A transfer that was asked for in a message that the wallet refused. */
export const intendedJettonTransfer: Rule = {
  name: 'intended jetton transfer',
  test: (block) => block.calls(JETTON_TRANSFER),
  build(block, found, { interfaces }) {
    const senderWallet = block.message.destination;
    const asset = interfaces.jettonWallet(senderWallet ?? '')?.jetton ?? null;
    composeWithoutInternal(block, found, { senderWallet, asset });
  },
};
