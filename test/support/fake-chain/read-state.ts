import type { BlockId } from '../../../src/chain/block-id.ts';
import { decodeAnswer, encodeRequest } from '../../../src/chain/tl/lite-codec.ts';
import { ProofFailure } from '../../../src/lite/errors.ts';
import type { LiteTarget } from '../../../src/lite/session.ts';
import type { FakeChain } from './fake-chain.ts';

/** Asks for an account's state and checks it, as work with a proof does. */
export async function readState(
  { query, reference }: LiteTarget,
  chain: FakeChain,
  { account = 7, block = reference }: { account?: number; block?: BlockId } = {},
): Promise<Buffer> {
  const hash = Buffer.alloc(32);
  hash.writeUInt32BE(account);
  const request = encodeRequest({ method: 'getAccountState', id: block, account: { workchain: 0, hash } });
  const { state } = decodeAnswer('getAccountState', await query(request));
  if (!state.equals(chain.stateOf(hash, block)))
    throw new ProofFailure('VALIDATE_ACCOUNT_STATE', ': account state hash mismatch');
  return state;
}
