import { decodeAnswer, decodeRequest } from '../../../src/chain/tl/lite-codec.ts';
import { decodeLiteError } from '../../../src/chain/tl/lite-error.ts';
import type { LiteRequest } from '../../../src/chain/tl/lite-functions.ts';
import { splitWaitPrefix } from '../../../src/chain/tl/wait-prefix.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { createAnswerRequest } from '../../../src/localnet/lite-server/answer-request.ts';
import { RecentMessages } from '../../../src/localnet/lite-server/recent-messages.ts';
import type { Misbehaviour, Script } from '../../support/lite-server/misbehaviour.ts';
import { type LiteServer, startLiteServer } from '../../support/lite-server/start-lite-server.ts';
import type { createQuietLog } from '../../support/quiet-log.ts';
import { createChainView, type ViewLimits } from './chain-view.ts';

/** A lite server in front of a local chain that answers as it should, as long as it is not told to do otherwise. */
export interface ShakyServer extends LiteServer {
  /** How often it was asked for something. */
  count(method: LiteRequest['method']): number;
  /** Has only a part of the chain from now on; all of it when nothing is said. */
  limit(limits?: ViewLimits): void;
  /** Gets no more blocks from now on. */
  freeze(): void;
  /** Whether it changes a bit of each proof, or other bag of cells, that it sends. */
  lies: boolean;
}

/** What is shorter are hashes. */
const LEAST_PROOF_BYTES = 40;
const VERSION = { version: 0x101, capabilities: 15n };

/** What only questions of some kinds meet, so that the head is still followed. */
export function only(methods: LiteRequest['method'] | RegExp, misbehaviour: Misbehaviour): Script {
  const fits =
    typeof methods === 'string' ? (name: string) => name === methods : (name: string) => methods.test(name);
  return (request) => (fits(methodOf(request)) ? misbehaviour : undefined);
}

/** Starts a server in front of a chain; the signal ends what waits for a block. */
export async function startShakyServer(
  localnet: Localnet,
  log: ReturnType<typeof createQuietLog>,
  signal: AbortSignal,
): Promise<ShakyServer> {
  const counts = new Map<LiteRequest['method'], number>();
  const store = createChainView(localnet.store);
  const { now } = localnet;
  const answer = createAnswerRequest(
    {
      ...{ store, now, version: VERSION, recentMessages: new RecentMessages(now) },
      sendMessage: async (body) => void (await localnet.send(body)),
    },
    log,
  );
  let flips = 0;
  const server = await startLiteServer({
    async answer(request) {
      const method = methodOf(request);
      counts.set(method, (counts.get(method) ?? 0) + 1);
      const bytes = await answer(request, signal);
      return shaky.lies ? withChangedBit(method, Buffer.from(bytes), flips++) : bytes;
    },
  });
  const shaky: ShakyServer = Object.assign(Object.create(server) as LiteServer, {
    lies: false,
    count: (method: LiteRequest['method']) => counts.get(method) ?? 0,
    limit: (limits: ViewLimits = {}) => store.limit(limits),
    freeze: () => store.limit({ newest: store.head.seqno }),
  });
  return shaky;
}

function methodOf(request: Buffer): LiteRequest['method'] {
  return decodeRequest(splitWaitPrefix(request).request).method;
}

/** Changes one bit in one of the bags of cells, or signatures, of an answer; a refusal has none. */
function withChangedBit(method: LiteRequest['method'], answer: Buffer, flip: number): Buffer {
  if (decodeLiteError(answer) !== undefined) return answer;
  // What is decoded are views of the answer.
  const proofs = proofsIn(decodeAnswer(method, answer));
  if (proofs.length === 0) return answer;
  const proof = proofs[flip % proofs.length]!;
  const bit = (flip * 7919) % (proof.length * 8);
  proof[bit >> 3]! ^= 1 << (bit & 7);
  return answer;
}

function proofsIn(value: unknown): Buffer[] {
  if (Buffer.isBuffer(value)) return value.length >= LEAST_PROOF_BYTES ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(proofsIn) : [];
}
