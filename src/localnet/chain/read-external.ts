import { readBoc } from '../../chain/boc/read-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { readMessageInfo } from '../../chain/tlb/message-info.ts';
import { accountOf } from '../../chain/tlb/msg-address.ts';
import { checkExternalMessage } from '../lite-server/external-message.ts';
import { LiteRefusal, PLAIN_ERROR } from '../lite-server/lite-refusal.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { IncomingMessage } from './mempool.ts';

/** An external message that is well-formed, and who gets it. */
export interface ExternalToAccount extends IncomingMessage {
  readonly to: AccountId;
}

/** Reads an external message; throws LiteRefusal in the words of a node. */
export function readExternal(store: ChainStore, body: Buffer): ExternalToAccount {
  checkExternalMessage(store, body);
  const bag = readBoc(body);
  const info = readMessageInfo(new Slice(bag, bag.root));
  if (info.kind !== 'external-in' || info.dest.kind !== 'std')
    throw new LiteRefusal(PLAIN_ERROR, "Can't parse destination address");
  const { workchain } = info.dest;
  const hash = Buffer.from(accountOf(info.dest));
  const account = `${workchain}:${hash.toString('hex').toUpperCase()}`;
  return { id: bag.hash(bag.root).toString('hex'), body, account, to: { workchain, hash } };
}
