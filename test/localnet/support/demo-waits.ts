import type { DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { Wait } from '../../../src/localnet/demo/story.ts';

const MAX_BLOCKS = 20;

/** Lets pass what a round of the demo waits for. */
export async function passWaits(chain: DemoChain, waits: readonly Wait[], round: number): Promise<void> {
  for (const { what, until, isOver } of waits.filter((wait) => wait.round === round)) {
    if (isOver(chain)) continue;
    await chain.advanceTo(until(chain));
    for (let blocks = 0; !isOver(chain); blocks++) {
      if (blocks === MAX_BLOCKS) throw new Error(`not so after ${MAX_BLOCKS} blocks: ${what}`);
      await chain.mine();
    }
  }
}
