import type { CollatedBlock } from './collate-shard.ts';
import type { External, ExternalOutcome, SoundExternal } from './external-messages.ts';

/** A message from outside, and what it is or why it is none. */
export interface CheckedExternal {
  readonly external: External;
  readonly sound: SoundExternal | string;
}

const NO_SUCH_SHARD = 'destination of an inbound external message is an invalid blockchain address';

/** What became of each message from outside in the blocks of a step. */
export function outcomesOf(
  checked: readonly CheckedExternal[],
  blocks: readonly CollatedBlock[],
): ExternalOutcome[] {
  const found = new Map<SoundExternal, ExternalOutcome>();
  for (const { block, judged } of blocks)
    for (const { external, verdict } of judged) {
      const { id } = external;
      const isIn = verdict.outcome === 'included';
      found.set(external, isIn ? { id, outcome: 'included', block: block.id } : { id, ...verdict });
    }
  return checked.map(({ external: { id }, sound }) => {
    if (typeof sound === 'string') return { id, outcome: 'rejected', text: sound };
    return found.get(sound) ?? { id, outcome: 'rejected', text: NO_SUCH_SHARD };
  });
}
