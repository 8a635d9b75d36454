import { writeShardAccount } from '../chain/tlb-write/shard-account.ts';
import type { Log } from '../lib/log.ts';
import type { ProvenAccount } from '../lite/proofs/account-state.ts';
import type { EmulationGround, EmulationMoment, GroundOptions } from '../pending/emulation-ground.ts';
import type { V2Ports } from '../v2/call.ts';
import { openMoment } from '../v2/reads/open-moment.ts';

/** The chain for emulations, read by the same means as for v2. */
export function createEmulationGround(ports: V2Ports, log: Log): EmulationGround {
  // As long as an account is remembered, so is what an emulation needs of it.
  const written = new WeakMap<ProvenAccount, Buffer>();

  function write(proven: ProvenAccount): Buffer {
    const known = written.get(proven);
    if (known !== undefined) return known;
    const boc = writeShardAccount(proven);
    written.set(proven, boc);
    return boc;
  }

  async function open({ seqno, group, budgetMs, signal }: GroundOptions): Promise<EmulationMoment> {
    const moment = await openMoment(
      {
        ...{ ports, log, group, deadlineMs: performance.now() + budgetMs, bound: [], lasting: false },
        signal: signal ?? new AbortController().signal,
      },
      { seqno },
    );
    const { vm: config, prevBlocks, genUtime, genLt } = await moment.config();
    return {
      ...{ mcSeqno: moment.block.seqno, lt: genLt, config, prevBlocks, libraries: moment.libraries },
      // On top of the newest block the next one is made now; after an older one it was made long ago.
      utime: seqno === undefined ? Math.max(genUtime, Math.floor(ports.clock())) : genUtime,
      account: async (place) => {
        const proven = await moment.account(place);
        return { boc: write(proven), shard: proven.shardBlock.shard };
      },
    };
  }

  return { open };
}
