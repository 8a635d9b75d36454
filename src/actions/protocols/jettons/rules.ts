import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionColumns } from '../../rules/action.ts';
import { type Block, type BlockContent, compose } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, call, type Match } from '../../rules/pattern.ts';
import {
  bocOf,
  type Comment,
  ENCRYPTED_COMMENT,
  readComment,
  restAsBoc,
  tryRead,
} from '../../rules/read-body.ts';
import { blockData, type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jetton } from './layouts.ts';

export const PTON_MASTERS: ReadonlySet<string> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
]);

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

export const jettonTransferOf = blockData<JettonTransferData>('jetton_transfer');

function readRequest(block: Block): TransferRequest {
  const request = jetton.transfer.read(block);
  // Some senders leave out even the bit of an absent payload.
  const payload = request.sliceAt('forward_payload').bitsLeft > 0 ? request.forward_payload : undefined;
  const present = payload !== undefined && payload.bitsLeft > 0;
  return {
    queryId: request.query_id,
    amount: request.amount,
    destination: request.destination,
    responseDestination: request.response_destination,
    forwardAmount: request.forward_ton_amount,
    customPayload: bocOf(request.custom_payload),
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

export function transferColumns(transfer: JettonTransferData): ActionColumns {
  return {
    source: transfer.sender,
    source_secondary: transfer.senderWallet,
    destination: transfer.receiver,
    destination_secondary: transfer.receiverWallet,
    asset: transfer.asset,
    amount: transfer.amount,
  };
}

function transferBlock(data: JettonTransferData, failed: boolean): BlockContent<JettonTransferData> {
  const { request } = data;
  return {
    type: 'jetton_transfer',
    data,
    failed,
    describe: () => ({
      ...transferColumns(data),
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
function readInternal(internal: Block) {
  return tryRead(() => {
    const { amount, forward_ton_amount } = jetton.internal_transfer.read(internal);
    return { amount, forwardAmount: forward_ton_amount };
  });
}

/** A transfer from wallet to wallet. */
export const jettonTransfer: Rule = {
  type: 'jetton_transfer',
  calls: [jetton.transfer],
  around: {
    each: call(jetton.internal_transfer, { each: call(jetton.notify, { optional: true }) }),
  },
  build(block, match, { interfaces }) {
    const request = readRequest(block);
    const internal = match.call(jetton.internal_transfer);
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
    compose(transferBlock(data, block.failed || internal.failed), [block, ...match.blocks]);
  },
};

function composeWithoutInternal(block: Block, match: Match, wallets: Partial<JettonTransferData>): void {
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
  compose(transferBlock(data, block.failed), [block, ...match.blocks]);
}

/** A pTON transfer; the sending wallet notifies the receiver itself. */
export const ptonTransfer: Rule = {
  type: 'jetton_transfer',
  calls: [jetton.transfer],
  around: { each: call(jetton.notify, { optional: true }) },
  build(block, match, { interfaces }) {
    const wallet = interfaces.jettonWallet(block.message.destination ?? '');
    if (wallet && PTON_MASTERS.has(wallet.jetton))
      composeWithoutInternal(block, match, { asset: wallet.jetton });
  },
};

/** A transfer in a message that the wallet rejected. */
export const intendedJettonTransfer: Rule = {
  type: 'jetton_transfer',
  calls: [jetton.transfer],
  build(block, match, { interfaces }) {
    const senderWallet = block.message.destination;
    const asset = interfaces.jettonWallet(senderWallet ?? '')?.jetton ?? null;
    composeWithoutInternal(block, match, { senderWallet, asset });
  },
};

interface JettonBurnData {
  readonly owner: string;
  readonly wallet: string | null;
  readonly asset: string;
  readonly amount: bigint;
}

export const jettonBurnOf = blockData<JettonBurnData>('jetton_burn');

export const jettonBurn: Rule = {
  type: 'jetton_burn',
  calls: [jetton.burn],
  around: { each: call(jetton.burn_notification, { optional: true }) },
  build(block, _match, { interfaces }) {
    const { amount } = jetton.burn.read(block).through('response_destination');
    const wallet = interfaces.jettonWallet(block.message.destination ?? '');
    if (!wallet) return undefined;
    const { owner, jetton: asset } = wallet;
    const { destination } = block.message;
    const blockData: JettonBurnData = { owner, wallet: destination, asset, amount };
    return { source: owner, source_secondary: destination, asset, amount, success: !block.failed, blockData };
  },
};

interface JettonMintData {
  readonly to: string | null;
  readonly toWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint | null;
}

export const jettonMintOf = blockData<JettonMintData>('jetton_mint');

/** The amount in the message that the standard minter sends on; others have it only in their own. */
function readMinterAmount(block: Block): bigint | null {
  if (!block.calls(jetton.minter_jetton_mint)) return null;
  return jetton.internal_transfer.open(jetton.minter_jetton_mint.read(block).master_msg).amount;
}

function readMint(block: Block, internal: Block | undefined, interfaces: Interfaces) {
  const request = jetton.mint.read(block);
  const tonAmount = request.ton_amount;
  const amount = readMinterAmount(block);
  if (block.failed || !internal) {
    const asset = block.message.destination;
    return { success: false, tonAmount, to: request.to_address, toWallet: null, asset, amount };
  }
  const minted = jetton.internal_transfer.read(internal).amount;
  const wallet = interfaces.jettonWallet(internal.message.destination ?? '');
  if (!wallet) throw new RuleMismatch('unknown wallet');
  const { owner: to, address: toWallet, jetton: asset } = wallet;
  return { success: !internal.failed, tonAmount, to, toWallet, asset, amount: minted };
}

export const jettonMint: Rule = {
  type: 'jetton_mint',
  calls: [jetton.mint, jetton.minter_jetton_mint],
  around: {
    each: anyOf(
      [
        call(jetton.notify),
        call(jetton.internal_transfer, { each: call(jetton.notify, { optional: true }) }),
      ],
      { optional: true },
    ),
  },
  build(block, match, { interfaces }) {
    const mint = readMint(block, match.call(jetton.internal_transfer), interfaces);
    const { success, tonAmount, ...blockData } = mint;
    const { to, toWallet, asset, amount } = blockData;
    const columns = { destination: to, destination_secondary: toWallet, asset, amount, value: tonAmount };
    return { ...columns, success, blockData };
  },
};
