import type { AccountId } from '../../tl/names.ts';
import type { BodyReader } from './body-reader.ts';
import { type PayloadContent, readCustomPayload, readForwardPayload, readPayloadContent } from './payload.ts';

/** A request to a wallet of a jetton, to its minter for new jettons, or to an NFT. Payloads are bags of cells. */
export type TokenBody =
  | {
      readonly type: 'jetton_transfer';
      readonly queryId: bigint;
      readonly amount: bigint;
      readonly destination: AccountId | undefined;
      readonly response: AccountId | undefined;
      readonly customPayload: Buffer | undefined;
      readonly forwardAmount: bigint;
      readonly forwardPayload: Buffer | undefined;
      readonly payload: PayloadContent;
    }
  | {
      readonly type: 'jetton_burn';
      readonly queryId: bigint;
      readonly amount: bigint;
      readonly response: AccountId | undefined;
    }
  | {
      readonly type: 'nft_transfer';
      readonly queryId: bigint;
      readonly newOwner: AccountId | undefined;
      readonly response: AccountId | undefined;
      readonly customPayload: Buffer | undefined;
      readonly forwardAmount: bigint;
      readonly forwardPayload: Buffer | undefined;
    };

/** Reads a transfer of jettons, after its opcode. */
export function readJettonTransfer(body: BodyReader): TokenBody {
  const request = {
    type: 'jetton_transfer',
    queryId: body.queryId(),
    amount: body.coins(),
    destination: body.account(),
    response: body.account(),
    customPayload: readCustomPayload(body),
    forwardAmount: body.coins(),
  } as const;
  const payload = readForwardPayload(body);
  return {
    ...request,
    forwardPayload: payload && body.boc(payload),
    payload: readPayloadContent(body, payload),
  };
}

/** Reads a burn of jettons, after its opcode. */
export function readJettonBurn(body: BodyReader): TokenBody {
  return { type: 'jetton_burn', queryId: body.queryId(), amount: body.coins(), response: body.account() };
}

/** Reads a transfer of an NFT, after its opcode. */
export function readNftTransfer(body: BodyReader): TokenBody {
  const request = {
    type: 'nft_transfer',
    queryId: body.queryId(),
    newOwner: body.account(),
    response: body.account(),
    customPayload: readCustomPayload(body),
    forwardAmount: body.coins(),
  } as const;
  const payload = readForwardPayload(body);
  return { ...request, forwardPayload: payload && body.boc(payload) };
}
