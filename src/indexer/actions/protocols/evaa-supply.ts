import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, blockOf, call, type Found } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { readAccount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { assetText, isJettonRequest, readAnsweredAmount, remark, userBody, userCall } from './evaa-parts.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

const SUPPLY = 0x1;
const SUPPLY_USER = 0x11;
const SUPPLY_SUCCESS = 0x11a;
const SUPPLY_FAIL = 0x11f;

interface Request {
  readonly sender: string | null;
  readonly senderWallet: string | null;
  readonly recipient: string | null;
  readonly recipientWallet: string | null;
  readonly master: string | null;
  readonly masterWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
}

function readTonRequest(block: Block): Request {
  const body = block.bodyAfterOpcode();
  body.skip(64 + 2);
  const amount = body.uint64();
  const recipient = readAccount(body);
  const { source, destination } = block.message;
  const jettons = { senderWallet: null, recipientWallet: null, masterWallet: null, asset: null };
  return { ...jettons, sender: source, recipient, master: destination, amount };
}

function readJettonRequest(block: Block, found: Found): Request {
  const { sender, senderWallet, receiver, receiverWallet, asset, amount, request } = jettonTransferOf(block);
  const payload = request.payload();
  if (!payload) throw new NotThis('no payload');
  payload.skip(32 + 2);
  const recipient = readAccount(payload);
  if (payload.bitsLeft > 0) {
    payload.uint64();
    payload.ref();
  }
  const recipientWallet = sender === recipient ? senderWallet : walletPaidBy(receiverWallet, found);
  return {
    ...{ sender, senderWallet, recipient, recipientWallet },
    ...{ master: receiver, masterWallet: receiverWallet, asset, amount },
  };
}

/** Where jettons went that the master's wallet sent on. */
function walletPaidBy(wallet: string | null, found: Found): string | null {
  for (const block of found.ofType('jetton_transfer')) {
    const { senderWallet, receiverWallet } = jettonTransferOf(block);
    if (senderWallet === wallet) return receiverWallet;
  }
  return null;
}

/** Somebody lends TON or jettons to EVAA. */
export const evaaSupply: Rule = {
  name: 'EVAA supply',
  test: (block) => block.calls(SUPPLY) || isJettonRequest(block, SUPPLY),
  around: {
    each: userCall(SUPPLY_USER, {
      as: 'user',
      each: anyOf([
        call(SUPPLY_SUCCESS, { as: 'success', each: remark }),
        call(SUPPLY_FAIL),
        blockOf('jetton_transfer'),
      ]),
    }),
  },
  build(block, found) {
    const isTon = block.type === 'call_contract';
    const request = isTon ? readTonRequest(block) : readJettonRequest(block, found);
    const user = found.named('user')!;
    const body = userBody(user);
    body.skip(32 + 64);
    const assetId = body.bigUint(256);
    const success = found.named('success');
    const columns = {
      source: request.sender,
      source_secondary: request.senderWallet,
      destination: request.recipient,
      destination_secondary: user.message.destination,
      asset: request.asset,
      amount: success ? readAnsweredAmount(success) : request.amount,
      success: success !== undefined,
      data: {
        evaa_supply_data: {
          is_ton: isTon,
          asset_id: assetText(assetId),
          master: request.master,
          recipient_jetton_wallet: request.recipientWallet,
          master_jetton_wallet: request.masterWallet,
        },
      },
    };
    compose(plainContent('evaa_supply', columns), [block, ...found.blocks]);
  },
};
