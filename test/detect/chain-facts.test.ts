import { beginCell, Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractReader } from '../../src/chain/contracts/probe.ts';
import type { Detector, KnownContracts } from '../../src/detect/detection.ts';
import { knownContracts } from '../../src/detect/known-contracts.ts';
import type { ContractColumns } from '../../src/index/write/write-contracts.ts';
import { libraryReference } from '../../src/localnet/contracts/contract.ts';
import { getMethodCode } from '../support/get-method-code.ts';
import { only } from '../v2/support/faulty-servers.ts';
import {
  codeOf,
  type DetectionTestContext,
  numbered,
  openDetectionTestContext,
  runDetection,
  stateOf,
} from './support/detecting.ts';
import { int } from './support/stack-items.ts';

let context: DetectionTestContext;

beforeAll(async () => {
  context = await openDetectionTestContext();
});
afterAll(() => context.close());

const WALLET: Detector = {
  table: 'jetton_wallets',
  methods: [['get_wallet_data']],
  detect: async (probe) =>
    ({ value: (await probe.run('get_wallet_data')).integer(0) }) as unknown as ContractColumns,
};

describe('code that is a library reference', () => {
  it('has the methods of the library, which is fetched once', async () => {
    const { state, code } = await context.onChain(context.place('library jetton wallet of carol'));
    const detection = context.detection([WALLET]);
    const before = context.servers[0]!.count('getLibrariesWithProof');
    for (const follows of [true, false]) {
      const block = context.pool.head;
      const { found } = await runDetection(detection.open({ follows }), [state], { codes: [code], block });
      expect(found.map(({ columns }) => Object.values(columns)[0])).toEqual([expect.any(BigInt)]);
    }
    expect(context.servers[0]!.count('getLibrariesWithProof')).toBe(before + 1);
  });

  it('has no interface without the library, and is undetected if it is unavailable', async () => {
    const code = libraryReference(numbered(12345));
    const state = stateOf({ account: 1, code, data: numbered(1), mayHaveChangedCode: true });
    const detection = context.detection([WALLET]);
    context.servers[0]!.misbehave(
      only('getLibrariesWithProof', { kind: 'error', code: 0, text: 'not today' }),
    );
    const detect = () =>
      runDetection(detection.open({ follows: true }), [state], {
        codes: [codeOf(code)],
        block: context.pool.head,
      });
    expect((await detect()).undetected.size).toBe(1);
    context.servers[0]!.misbehave(undefined);
    const { undetected, withdrawn } = await detect();
    expect([undetected.size, withdrawn.get('jetton_wallets')]).toEqual([0, [state.account]]);
    expect(detection.stats().runs).toBe(0);
  });

  it('is resolved during a run', async () => {
    const { code } = await context.onChain(context.place('library jetton wallet of carol'));
    const [library] = Cell.fromBoc(code.boc);
    const reads = getMethodCode({
      // PUSHCTR c4, CTOS, PLDREF, CTOS, DROP, 5 PUSHINT.
      get_wallet_data: { code: beginCell().storeUint(0xed44d0d74cd03075n, 64).endCell() },
    });
    const data = beginCell().storeRef(library!).endCell();
    const detection = context.detection([WALLET]);
    const state = stateOf({ account: 2, code: reads, data });
    const { found } = await runDetection(detection.open({ follows: true }), [state], {
      codes: [codeOf(reads)],
    });
    expect(Object.values(found[0]!.columns)).toEqual([5n]);
    expect(detection.stats().runs).toBe(2);
    const none = stateOf({
      account: 3,
      code: reads,
      data: beginCell()
        .storeRef(libraryReference(numbered(6)))
        .endCell(),
    });
    const { withdrawn } = await runDetection(detection.open({ follows: true }), [none]);
    expect(withdrawn.get('jetton_wallets')).toEqual([none.account]);
    // It may have been published in the meantime.
    await runDetection(detection.open({ follows: true }), [none]);
    expect(detection.stats()).toMatchObject({ runs: 4, hits: 0 });
  });
});

describe('the configuration', () => {
  it('is fetched again only after key blocks', async () => {
    const code = getMethodCode({ get_wallet_data: [int(1)] });
    const one = context.detection([WALLET]).open({ follows: true });
    const configQueries = () => context.servers[0]!.count('getConfigAll');
    const before = configQueries();
    let data = 0;
    const next = (more: { hasKeyBlock: boolean; plain?: boolean }) => {
      const { plain = false, hasKeyBlock } = more;
      const states = plain ? [] : [stateOf({ account: 1, code, data: numbered(data++) })];
      return runDetection(one, states, { codes: [codeOf(code)], hasKeyBlock, block: context.pool.head });
    };
    await next({ hasKeyBlock: false });
    await next({ hasKeyBlock: false });
    expect(configQueries()).toBe(before + 1);
    await next({ hasKeyBlock: true });
    expect(configQueries()).toBe(before + 2);
    await next({ hasKeyBlock: true, plain: true });
    expect(configQueries()).toBe(before + 2);
    await next({ hasKeyBlock: false });
    expect(configQueries()).toBe(before + 3);
    // The previous one is used until a new one is available.
    context.servers[0]!.misbehave(only('getConfigAll', { kind: 'error', code: 0, text: 'not today' }));
    const { found } = await next({ hasKeyBlock: true });
    context.servers[0]!.misbehave(undefined);
    expect(found).toHaveLength(1);
    const failed = configQueries();
    await next({ hasKeyBlock: false });
    expect(configQueries()).toBe(failed + 1);
  });
});

describe('DNS zones', () => {
  const seen: KnownContracts[] = [];
  const spy: Detector = {
    ...WALLET,
    async detect(_probe: ContractReader, known: KnownContracts) {
      seen.push(known);
      return {} as ContractColumns;
    },
  };
  const code = getMethodCode({ get_wallet_data: [] });
  const states = [stateOf({ account: 1, code, data: numbered(1) })];

  it('are constants on public networks', async () => {
    const mainnet = knownContracts('mainnet') as KnownContracts;
    expect(mainnet.zones.map(({ zone }) => zone)).toEqual(['ton', 't.me']);
    expect(mainnet.poolFactory).toBeDefined();
    expect((knownContracts('testnet') as KnownContracts).zones.map(({ zone }) => zone)).toEqual(['ton']);
    await runDetection(context.detection([spy], { known: mainnet }).open({ follows: true }), states, {
      codes: [codeOf(code)],
    });
    expect(seen.pop()).toBe(mainnet);
  });

  it('are found through the configuration on other networks', async () => {
    const detection = context.detection([spy], { known: knownContracts('other') });
    const one = detection.open({ follows: true });
    const { hash } = context.place('DNS zone .ton');
    for (let i = 0; i < 2; i++) {
      await runDetection(one, states, { codes: [codeOf(code)], block: context.pool.head });
      expect(seen.pop()?.zones).toEqual([{ zone: 'ton', collection: { workchain: 0, hash } }]);
    }
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 1 });
    // A root that no longer has the zone.
    const root = context.place('DNS root');
    const deleted = stateOf({ account: Buffer.concat([Buffer.of(255), root.hash]) });
    await runDetection(one, [...states, deleted], { block: context.pool.head });
    expect(seen.pop()?.zones).toEqual([]);
  });

  it('are empty if the root is unavailable', async () => {
    context.servers[0]!.misbehave(only('getAccountState', { kind: 'error', code: 0, text: 'not today' }));
    const detection = context.detection([spy], { known: knownContracts('other') });
    const one = detection.open({ follows: false });
    await runDetection(one, states, { codes: [codeOf(code)] });
    expect(seen.pop()?.zones).toEqual([]);
    context.servers[0]!.misbehave(undefined);
    await runDetection(one, states);
    expect(seen.pop()?.zones).toHaveLength(1);
  });
});
