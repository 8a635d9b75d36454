import { readBoc } from '../../../chain/boc/bag.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { readMessage, readMessageInfo } from '../../../chain/tlb/message.ts';
import type { Block } from '../../rules/block.ts';
import { call } from '../../rules/pattern.ts';
import { accountAt, readAccount, restAsBoc, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { vesting } from './layouts.ts';

function readSend(block: Block) {
  const { query_id, message: record } = vesting.send_message.read(block);
  const message = record.slice();
  const message_boc = restAsBoc(message, { crc: false });
  const { cells, cell } = message;
  const info = readMessageInfo(message);
  if (info.kind !== 'internal') throw new RuleMismatch('not a message to an account');
  return {
    to: accountAt(info.dest),
    amount: info.value.grams,
    bodyHash: tryRead(() => readMessage(cells, cell).bodyHash),
    columns: { query_id, message_boc },
  };
}

/** Whether the vesting wallet sent the requested message; it drops one whose destination or value it does not allow. */
function hasLeft({ node }: Block, { to, amount, bodyHash }: ReturnType<typeof readSend>): boolean {
  return node.transaction.outMessages.some(
    ({ destination, value, body }) =>
      destination === to && (bodyHash ? body && bodyHash.equals(hashOf(body)) : value === amount),
  );
}

function hashOf(boc: Buffer): Buffer {
  const bag = readBoc(boc);
  return bag.hash(bag.root);
}

/** Each address but the last references the cell of the next one. */
function readAddresses(body: Slice): (string | null)[] {
  const addresses: (string | null)[] = [];
  for (let part = body; ; part = part.refSlice()) {
    addresses.push(readAccount(part));
    if (part.refsLeft === 0) return addresses;
  }
}

export const vestingRules: readonly Rule[] = [
  // The owner of a vesting wallet sends a message through it.
  {
    type: 'vesting_send_message',
    calls: [vesting.send_message],
    around: { each: call(vesting.send_message_response, { as: 'response' }) },
    build(block, match) {
      const requested = readSend(block);
      const { source, destination } = block.message;
      return {
        success: hasLeft(block, requested),
        source,
        destination,
        destination_secondary: requested.to,
        amount: requested.amount,
        data: { vesting_send_message_data: requested.columns },
        members: [block, match.named('response')],
      };
    },
  },
  // The vesting sender adds addresses to the whitelist.
  {
    type: 'vesting_add_whitelist',
    calls: [vesting.add_white_list],
    around: { each: call(vesting.add_white_list_response, { as: 'response' }) },
    build(block, match) {
      const { query_id, addresses_ref_snake } = vesting.add_white_list.read(block);
      const { source, destination } = block.message;
      const accounts_added = readAddresses(addresses_ref_snake);
      const data = { vesting_add_whitelist_data: { query_id, accounts_added } };
      return { source, destination, data, members: [block, match.named('response')] };
    },
  },
];
