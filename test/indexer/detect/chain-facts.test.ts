import { beginCell, Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractReader } from '../../../src/chain/contracts/probe.ts';
import type { ContractColumns, Detector, KnownContracts } from '../../../src/indexer/detect/detection.ts';
import { knownContracts } from '../../../src/indexer/detect/known-contracts.ts';
import { libraryReference } from '../../../src/localnet/contracts/contract.ts';
import { answeringCode } from '../../support/answering-contract.ts';
import { only } from '../../v2/support/faulty-servers.ts';
import {
  codeOf,
  type DetectionTestContext,
  judge,
  numbered,
  openDetectionTestContext,
  stateOf,
} from './support/detecting.ts';
import { int } from './support/stack-items.ts';

let ground: DetectionTestContext;

beforeAll(async () => {
  ground = await openDetectionTestContext();
});
afterAll(() => ground.close());

const WALLET: Detector = {
  table: 'jetton_wallets',
  methods: [['get_wallet_data']],
  detect: async (probe) =>
    ({ value: (await probe.run('get_wallet_data')).integer(0) }) as unknown as ContractColumns,
};

describe('code that is in a library', () => {
  it('has the methods of the library, which is asked for once', async () => {
    const { state, code } = await ground.onChain(ground.place('library jetton wallet of carol'));
    const detection = ground.detection([WALLET]);
    const before = ground.servers[0]!.count('getLibrariesWithProof');
    for (const follows of [true, false]) {
      const block = ground.pool.head;
      const { found } = await judge(detection.open({ follows }), [state], { codes: [code], block });
      expect(found.map(({ columns }) => Object.values(columns)[0])).toEqual([expect.any(BigInt)]);
    }
    expect(ground.servers[0]!.count('getLibrariesWithProof')).toBe(before + 1);
  });

  it('is nothing where there is no such library, and undetected where that is not known', async () => {
    const code = libraryReference(numbered(12345));
    const state = stateOf({ account: 1, code, data: numbered(1), mayHaveChangedCode: true });
    const detection = ground.detection([WALLET]);
    ground.servers[0]!.misbehave(
      only('getLibrariesWithProof', { kind: 'error', code: 0, text: 'not today' }),
    );
    const judged = () =>
      judge(detection.open({ follows: true }), [state], { codes: [codeOf(code)], block: ground.pool.head });
    expect((await judged()).undetected.size).toBe(1);
    ground.servers[0]!.misbehave(undefined);
    const { undetected, withdrawn } = await judged();
    expect([undetected.size, withdrawn.get('jetton_wallets')]).toEqual([0, [state.account]]);
    expect(detection.stats().runs).toBe(0);
  });

  it('may come in the middle of a run', async () => {
    const { code } = await ground.onChain(ground.place('library jetton wallet of carol'));
    const [library] = Cell.fromBoc(code.boc);
    const reads = answeringCode({
      // PUSHCTR c4, CTOS, PLDREF, CTOS, DROP, 5 PUSHINT.
      get_wallet_data: { code: beginCell().storeUint(0xed44d0d74cd03075n, 64).endCell() },
    });
    const data = beginCell().storeRef(library!).endCell();
    const detection = ground.detection([WALLET]);
    const state = stateOf({ account: 2, code: reads, data });
    const { found } = await judge(detection.open({ follows: true }), [state], { codes: [codeOf(reads)] });
    expect(Object.values(found[0]!.columns)).toEqual([5n]);
    expect(detection.stats().runs).toBe(2);
    const none = stateOf({
      account: 3,
      code: reads,
      data: beginCell()
        .storeRef(libraryReference(numbered(6)))
        .endCell(),
    });
    const { withdrawn } = await judge(detection.open({ follows: true }), [none]);
    expect(withdrawn.get('jetton_wallets')).toEqual([none.account]);
    // It may have been published since.
    await judge(detection.open({ follows: true }), [none]);
    expect(detection.stats()).toMatchObject({ runs: 4, hits: 0 });
  });
});

describe('the configuration', () => {
  it('is asked for anew after key blocks only', async () => {
    const code = answeringCode({ get_wallet_data: [int(1)] });
    const one = ground.detection([WALLET]).open({ follows: true });
    const asked = () => ground.servers[0]!.count('getConfigAll');
    const before = asked();
    let data = 0;
    const next = (more: { hasKeyBlock: boolean; plain?: boolean }) => {
      const { plain = false, hasKeyBlock } = more;
      const states = plain ? [] : [stateOf({ account: 1, code, data: numbered(data++) })];
      return judge(one, states, { codes: [codeOf(code)], hasKeyBlock, block: ground.pool.head });
    };
    await next({ hasKeyBlock: false });
    await next({ hasKeyBlock: false });
    expect(asked()).toBe(before + 1);
    await next({ hasKeyBlock: true });
    expect(asked()).toBe(before + 2);
    await next({ hasKeyBlock: true, plain: true });
    expect(asked()).toBe(before + 2);
    await next({ hasKeyBlock: false });
    expect(asked()).toBe(before + 3);
    // The one before is good enough while there is no other.
    ground.servers[0]!.misbehave(only('getConfigAll', { kind: 'error', code: 0, text: 'not today' }));
    const { found } = await next({ hasKeyBlock: true });
    ground.servers[0]!.misbehave(undefined);
    expect(found).toHaveLength(1);
    const failed = asked();
    await next({ hasKeyBlock: false });
    expect(asked()).toBe(failed + 1);
  });
});

describe('zones of domains', () => {
  const seen: KnownContracts[] = [];
  const spy: Detector = {
    ...WALLET,
    async detect(_probe: ContractReader, known: KnownContracts) {
      seen.push(known);
      return {} as ContractColumns;
    },
  };
  const code = answeringCode({ get_wallet_data: [] });
  const states = [stateOf({ account: 1, code, data: numbered(1) })];

  it('are known on public networks', async () => {
    const mainnet = knownContracts('mainnet') as KnownContracts;
    expect(mainnet.zones.map(({ zone }) => zone)).toEqual(['ton', 't.me']);
    expect(mainnet.poolFactory).toBeDefined();
    expect((knownContracts('testnet') as KnownContracts).zones.map(({ zone }) => zone)).toEqual(['ton']);
    await judge(ground.detection([spy], { known: mainnet }).open({ follows: true }), states, {
      codes: [codeOf(code)],
    });
    expect(seen.pop()).toBe(mainnet);
  });

  it('are found by the configuration elsewhere', async () => {
    const detection = ground.detection([spy], { known: knownContracts('other') });
    const one = detection.open({ follows: true });
    const { hash } = ground.place('DNS zone .ton');
    for (let i = 0; i < 2; i++) {
      await judge(one, states, { codes: [codeOf(code)], block: ground.pool.head });
      expect(seen.pop()?.zones).toEqual([{ zone: 'ton', collection: { workchain: 0, hash } }]);
    }
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 1 });
    // A root that knows no zone any more.
    const root = ground.place('DNS root');
    const gone = stateOf({ account: Buffer.concat([Buffer.of(255), root.hash]) });
    await judge(one, [...states, gone], { block: ground.pool.head });
    expect(seen.pop()?.zones).toEqual([]);
  });

  it('are none where the root is not to be had', async () => {
    ground.servers[0]!.misbehave(only('getAccountState', { kind: 'error', code: 0, text: 'not today' }));
    const detection = ground.detection([spy], { known: knownContracts('other') });
    const one = detection.open({ follows: false });
    await judge(one, states, { codes: [codeOf(code)] });
    expect(seen.pop()?.zones).toEqual([]);
    ground.servers[0]!.misbehave(undefined);
    await judge(one, states);
    expect(seen.pop()?.zones).toHaveLength(1);
  });
});
