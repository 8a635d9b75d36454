import fc from 'fast-check';
import { IN_EXTERNAL, IN_INTERNAL, IN_NONE, IN_SYSTEM } from '../../../src/indexer/decode/decoded-seqno.ts';
import { type ToyTransaction, toyAccount, toyHash } from './toy-chain.ts';

/** How many seqnos a story has, from 1 on. */
export const SEQNOS = 12;

/** One transaction after the other; `pick` says which of the messages that wait is received. */
const step = fc.record({
  kind: fc.constantFrom(
    'internal',
    'internal',
    'internal',
    'internal',
    'external',
    'tick',
    'system',
    'foreign',
  ),
  pick: fc.nat(20),
  hops: fc.constantFrom(0, 0, 1, 2),
  sends: fc.constantFrom(0, 1, 1, 2, 3),
  logs: fc.constantFrom(0, 0, 1, 2),
  account: fc.nat(8),
  repeats: fc.boolean(),
});

/** What happens on a chain. */
export const steps = fc.array(step, { minLength: 1, maxLength: 60 });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A chain of transactions in which no message is received before it was sent. */
export function tell(steps: readonly Step[]): ToyTransaction[] {
  const waiting: { hash: string; mcSeqno: number }[] = [];
  return steps.map(({ kind, pick, hops, sends, logs, account, repeats }, lt) => {
    const [message] = kind === 'internal' ? waiting.splice(pick % Math.max(waiting.length, 1), 1) : [];
    const earliest = message?.mcSeqno ?? 1 + (pick % SEQNOS);
    const mcSeqno = Math.min(SEQNOS, earliest + hops);
    const outs = Array.from({ length: sends }, (_, at) => toyHash(`message ${lt}.${at}`));
    waiting.push(...outs.map((hash) => ({ hash, mcSeqno })));
    return {
      mcSeqno,
      account: toyAccount(String(account)),
      lt,
      hash: toyHash(`transaction ${lt}`),
      ...inbound(
        message === undefined && kind === 'internal' ? 'external' : kind,
        lt,
        repeats,
        message?.hash,
      ),
      outs,
      logs,
    };
  });
}

function inbound(kind: Step['kind'], lt: number, repeats: boolean, hash: string | undefined) {
  if (kind === 'tick') return { inKind: IN_NONE };
  if (kind === 'system') return { inKind: IN_SYSTEM, inHash: toyHash(`system ${lt}`) };
  if (kind === 'foreign') return { inKind: IN_INTERNAL, inHash: toyHash(`foreign ${lt}`) };
  if (hash !== undefined) return { inKind: IN_INTERNAL, inHash: hash };
  // Externals may be executed several times.
  const inHash = toyHash(repeats ? 'the same' : `external ${lt}`);
  return { inKind: IN_EXTERNAL, inHash, ...(repeats ? { normHash: toyHash('the same, normal') } : {}) };
}
