import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { readMcStateExtra, readMcStateInfo } from '../../../src/chain/tlb/masterchain-state.ts';
import { readOutMsgQueueInfo } from '../../../src/chain/tlb/queues.ts';
import { readShardStateTotals } from '../../../src/chain/tlb/shard-state.ts';
import { readValidatorSet, validatorSetHash } from '../../../src/chain/tlb/validators.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { RECORDING } from '../support/recorded-network.ts';
import { openState } from './open-states.ts';

const NOW = 1_800_000_000;

/** All of a zero state but what is told apart on purpose: time, network, money, accounts and configuration. */
function shapeOf(bytes: Buffer) {
  const { cells, state } = openState(bytes);
  const { workchain, shard, seqno, vertSeqno, genLt, minRefMcSeqno, beforeSplit, custom } = state;
  const totals = readShardStateTotals(cells, state.totals);
  return {
    name: { workchain, shard, seqno, vertSeqno, genLt, minRefMcSeqno, beforeSplit },
    root: { bits: cells.bits[cells.root], refs: cells.refCount(cells.root) },
    queue: readOutMsgQueueInfo(cells, state.outMsgQueueInfo),
    queueBits: cells.bits[state.outMsgQueueInfo],
    overload: [totals.overloadHistory, totals.underloadHistory],
    fees: totals.totalValidatorFees,
    masterRef: totals.masterRef,
    masterchain: custom < 0 ? undefined : masterchainShape(cells, custom),
  };
}

function masterchainShape(cells: ReturnType<typeof openState>['cells'], custom: number) {
  const { shardHashes, configAddress, config, info } = readMcStateExtra(cells, custom);
  const { validatorListHashShort, ...rest } = readMcStateInfo(cells, info);
  const { validators } = readValidatorSet(cells, configParam(cells, config, 34));
  return {
    shardHashes,
    configAddress,
    infoBits: cells.bits[info],
    info: rest,
    namesTheValidators: validatorListHashShort === validatorSetHash(validators, 0),
  };
}

const NO_MASTERCHAIN_BLOCK = 0xffffffff;
const NAME = {
  shard: -(2n ** 63n),
  seqno: 0,
  vertSeqno: 0,
  genLt: 0n,
  minRefMcSeqno: NO_MASTERCHAIN_BLOCK,
  beforeSplit: false,
};

describe('the structure of zero states', () => {
  it('is that of a chain without blocks', async () => {
    const { zeroStates } = await createGenesis({ now: NOW, shards: 2 });
    const [masterchain, basechain] = zeroStates.map(shapeOf);
    expect(masterchain).toMatchObject({
      name: { workchain: -1, ...NAME },
      queue: { outQueue: -1, processedInfo: -1, extra: undefined },
      masterchain: {
        shardHashes: -1,
        namesTheValidators: true,
        info: {
          catchainSeqno: 0,
          nextCatchainUpdated: true,
          prevBlocks: { root: -1, hasKeyBlock: false, maxEndLt: 0n },
          afterKeyBlock: true,
          lastKeyBlock: undefined,
          blockCreateStats: undefined,
        },
      },
    });
    expect(basechain).toMatchObject({ name: { workchain: 0, ...NAME }, masterchain: undefined });
    for (const bytes of zeroStates) expect(openState(bytes).state.genUtime).toBe(NOW);
  });

  it.skipIf(missingNetwork !== '')(`is that of the recorded network${missingNetwork}`, async () => {
    const { zeroStates } = await createGenesis({ now: NOW, shards: 2 });
    const recorded = ['-1', '0'].map((workchain) =>
      readFileSync(join(RECORDING, `states/${workchain}_8000000000000000_0.boc`)),
    );
    expect(zeroStates.map(shapeOf)).toEqual(recorded.map(shapeOf));
  });
});
