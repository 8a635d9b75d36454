import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { readElectorState } from '../../../src/chain/contracts/elector.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { complaintOf, electionOf, electorData, pastOf, setOf } from '../../support/made-elector.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recorded } from '../support/recordings.ts';

describe('the data of the elector', () => {
  it('has the open election, past elections and complaints', () => {
    const election = electionOf(1000, [1, 2, 3], { failed: true, finished: true });
    const complaints = [
      complaintOf(1),
      complaintOf(2, {
        description: undefined,
        voters: [0, 7, 300],
        setHash: hashOf('set'),
        weightRemaining: -5n,
      }),
    ].sort((a, b) => Buffer.compare(a.hash, b.hash));
    const past = [pastOf(500, setOf(500, [4, 5])), pastOf(800, setOf(800, [1]), { complaints })];
    expect(readElectorState(electorData({ election, past }).toBoc())).toEqual({ election, past });
  });

  it('has nothing before the first election', () => {
    expect(readElectorState(electorData({}).toBoc())).toEqual({ election: undefined, past: [] });
  });

  it('is unknown if it is laid out in another way', () => {
    const other = [
      beginCell().endCell(),
      beginCell().storeUint(0, 32).endCell(),
      beginCell()
        .storeMaybeRef(beginCell().endCell())
        .storeUint(0, 2 + 4 + 32 + 256)
        .endCell(),
      beginCell().storeSlice(electorData({}).beginParse()).storeBit(true).endCell(),
    ];
    for (const cell of other) expect(readElectorState(cell.toBoc())).toBeUndefined();
    const broken = complaintOf(1, { severity: 0 });
    const data = electorData({ past: [pastOf(5, setOf(5, [1]), { complaints: [broken] })] });
    expect(readElectorState(data.toBoc())?.past).toHaveLength(1);
  });

  it.skipIf(missingNetwork !== '')(`is read from a real elector${missingNetwork}`, () => {
    const { state } = recorded('accounts', 'elector');
    const cells = readBoc(Buffer.from(state, 'base64'));
    const account = readAccount(cells, cells.root);
    const data = account?.state.kind === 'active' ? account.state.init.data : -1;
    const found = readElectorState(writeBoc({ cells, roots: [data] }, { order: 'tonlib' }));
    expect(found).toBeDefined();
    expect(found).toMatchObject({ past: [] });
  });
});
