import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { blockThat, call } from '../pattern.ts';

import { NotThis, type Rule } from '../rule.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

const HOLD_FUNDS = 0x6bc79e7e;
const FAILED_SWAP = 0xee51ce51;
const SERVICE_FEE = 0xc0ffeea0;

/** A call, or a transfer of jettons with that in its payload. */
function asksFor(block: Block, opcode: number): boolean {
  if (block.type === 'jetton_transfer') return jettonTransferOf(block).request.payloadOpcode === opcode;
  return block.calls(opcode);
}

function readHeld(block: Block) {
  if (block.type === 'jetton_transfer') {
    const { sender, senderWallet, receiver, asset, amount } = jettonTransferOf(block);
    return { source: sender, source_secondary: senderWallet, destination: receiver, asset, amount };
  }
  const { source, destination, value } = block.message;
  return { source, destination, amount: value };
}

/** What is to be swapped waits where nobody can get before it; the fee for that, sent beside it, belongs to it. */
export const coffeeMevHoldFunds: Rule = {
  name: 'swap.coffee MEV protection',
  test: (block) => asksFor(block, HOLD_FUNDS),
  around: { previous: blockThat(() => true, { each: call(SERVICE_FEE), optional: true }) },
  build(block, found) {
    const held = readHeld(block);
    const describe = () => held;
    compose({ type: 'coffee_mev_protect_hold_funds', data: undefined, describe }, [block, ...found.blocks]);
  },
};

/** What waited is given back. Clients are told no more than that it happened. */
export const coffeeMevFailedSwap: Rule = {
  name: 'swap.coffee MEV protection, failed swap',
  test: (block) => asksFor(block, FAILED_SWAP),
  build(block) {
    const body =
      block.type === 'jetton_transfer' ? jettonTransferOf(block).request.payload() : block.node.body();
    if (!body) throw new NotThis('a transfer for nothing');
    body.skip(32 + 64);
    skipMsgAddress(body);
    const describe = () => ({});
    compose({ type: 'coffee_mev_protect_failed_swap', data: undefined, describe }, [block]);
  },
};
