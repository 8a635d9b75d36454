import { type BlockId, shortBlockName } from '../../../src/chain/block-id.ts';
import { decodeRequest, encodeAnswer } from '../../../src/chain/tl/lite-codec.ts';
import type { LiteRequest } from '../../../src/chain/tl/lite-functions.ts';
import { splitWaitPrefix, type WaitPrefix } from '../../../src/chain/tl/wait-prefix.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import type { FakeChain } from './fake-chain.ts';

/** What is special about one server; a test may change it at any time. */
export interface ServerTraits {
  /** Blocks it is behind. */
  lag?: number;
  /** The block after which it gets no more. */
  stuckAt?: number | undefined;
  /** The oldest block it has. */
  oldest?: number;
  /** What it makes up. */
  lies?: 'head' | 'state' | undefined;
  /** Functions and prefixes it has never heard of. */
  lacks?: readonly ('wait' | LiteRequest['method'])[];
}

const EMPTY = Buffer.alloc(0);
const ACCEPTED = 1;
const NO_TIME = 1_700_000_000;

/** Answers as a lite server would that has a chain. */
export function answerFromChain(
  chain: FakeChain,
  traits: ServerTraits,
): (bytes: Buffer) => Buffer | Promise<Buffer> {
  const newest = () => Math.min(chain.seqno - (traits.lag ?? 0), traits.stuckAt ?? chain.seqno);
  const refuseUnknown = () => new LiteServerError(0, 'Unknown constructor found 0xbaeab892 at 4');

  function head(): BlockId {
    const block = chain.block(newest());
    return traits.lies === 'head' ? { ...block, seqno: block.seqno + 5 } : block;
  }

  function find(seqno: number): BlockId {
    if (seqno <= newest() && seqno >= (traits.oldest ?? 0)) return chain.block(seqno);
    const hint = seqno > newest() ? ` (last known masterchain block: ${newest()})` : '';
    const place = '(-1,8000000000000000)';
    throw new LiteServerError(651, `cannot find block ${place} seqno=${seqno}: ltdb: block not found${hint}`);
  }

  function answer(request: LiteRequest): Buffer {
    if (traits.lacks?.includes(request.method)) throw refuseUnknown();
    switch (request.method) {
      case 'getMasterchainInfo':
      case 'getMasterchainInfoExt': {
        const info = { last: head(), stateRootHash: Buffer.alloc(32, 1), init: chain.zeroState };
        const ext = { mode: 0, version: 0x101, capabilities: 7n, lastUtime: NO_TIME, now: NO_TIME };
        return request.method === 'getMasterchainInfo'
          ? encodeAnswer('getMasterchainInfo', info)
          : encodeAnswer('getMasterchainInfoExt', { ...ext, ...info });
      }
      case 'lookupBlock': {
        const id = find(request.id.seqno);
        return encodeAnswer('lookupBlock', { id, mode: request.mode, headerProof: EMPTY });
      }
      case 'getAccountState': {
        if (request.id.seqno > newest() || request.id.seqno < (traits.oldest ?? 0))
          throw new LiteServerError(651, `block ${shortBlockName(request.id)} is not in db`);
        const truth = chain.stateOf(request.account.hash, request.id);
        return encodeAnswer('getAccountState', {
          ...{ id: request.id, shardBlock: request.id, shardProof: EMPTY, proof: EMPTY },
          state: traits.lies === 'state' ? Buffer.from(truth).reverse() : truth,
        });
      }
      case 'getTime':
        return encodeAnswer('getTime', { now: NO_TIME });
      case 'sendMessage':
        return encodeAnswer('sendMessage', { status: ACCEPTED });
      default:
        throw refuseUnknown();
    }
  }

  async function waitThenAnswer({ seqno, timeoutMs }: WaitPrefix, request: LiteRequest): Promise<Buffer> {
    const late = Promise.withResolvers<void>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late.resolve();
    }, timeoutMs);
    while (newest() < seqno && !isLate) await Promise.race([chain.grown(), late.promise]);
    clearTimeout(timer);
    if (newest() < seqno) throw new LiteServerError(652, 'timeout');
    return answer(request);
  }

  return (bytes) => {
    const { wait, request } = splitWaitPrefix(bytes);
    if (wait === undefined) return answer(decodeRequest(request));
    if (traits.lacks?.includes('wait')) throw refuseUnknown();
    return waitThenAnswer(wait, decodeRequest(request));
  };
}
