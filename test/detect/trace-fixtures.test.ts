import { Address, beginCell, Cell, loadShardAccount, storeMessage } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undefinedOnMismatch } from '../../src/chain/contracts/probe.ts';
import { JETTON_WALLET, NFT_ITEM } from '../../src/detect/detectors/tokens.ts';
import { onChainContent } from '../../src/localnet/contracts/contract.ts';
import type { Vm } from '../../src/vm/vm.ts';
import { getMethodCode } from '../support/get-method-code.ts';
import { isLongRun } from '../support/long-run.ts';
import { sharedVm } from '../support/shared-vm.ts';
import { boc, config, NO_ACCOUNT, RAND_SEED } from '../vm/built-data.ts';
import { address, cell, key } from './support/stack-items.ts';
import { openTestProbes, type TestProbes } from './support/test-probe.ts';
import {
  type FirstState,
  type InterfaceRecord,
  missingTraces,
  readTraces,
  stateOfSibling,
  type TraceTransaction,
} from './support/trace-fixtures.ts';

const INTERNAL_TRANSFER = 0x178d4519;

/*
 * Traces of mainnet with the records of the reference for their contracts (tables of its index). The traces have no
 * account states, but messages that deploy contracts contain their initial states, and a message from one wallet of a
 * jetton to another always does. The address of a contract is the hash of its initial state, so a state whose hash
 * is the address is the right one. What can be reproduced of the records, and what cannot:
 *
 * - JettonWallet: owner and jetton of each wallet whose initial state is in a message, or can be derived from that of
 *   another wallet of the jetton by changing the owner. The balance only of wallets that were deployed in a trace, by
 *   executing that transaction again, and only if they did not change until the records were made. The code of the
 *   jetton is not in the traces; the address that it computes was checked before, so a stand-in returns it.
 *   Not: wallets whose code is a library, as libraries are not in the traces, and wallets of jettons without
 *   a message with a state.
 * - NftItem: index, collection and owner of items that were deployed in a trace. Collections are not in the traces,
 *   and they compute the content, so stand-ins return what is in the records. The others are older than the traces.
 * - NftAuction, NftSale, DedustPool: nothing, as all are older than the traces. Their detectors are tested
 *   in detectors/other-detectors.test.ts.
 * - data_boc is the data of an account, not a contract of a table.
 */
describe.skipIf(missingTraces !== '')(`contracts in mainnet traces${missingTraces}`, () => {
  const known = { zones: [], poolFactory: undefined };
  const { records, states } = missingTraces === '' ? readTraces() : { records: [], states: new Map() };
  let probes: TestProbes;
  let vm: Vm;
  beforeAll(() => {
    probes = openTestProbes();
    vm = sharedVm();
  });
  afterAll(async () => {
    await probes.close();
    await vm.close();
  });

  const ofKind = (kind: string) => records.filter((record) => record.kind === kind);
  const parse = (raw: unknown) => Address.parseRaw(String(raw));
  const keyOf = (raw: unknown) => key(parse(raw));

  /** Adds a stand-in for a contract whose code is not in the traces. */
  function standIn(raw: unknown, methods: Parameters<typeof getMethodCode>[0]): void {
    probes.put({ account: parse(raw), code: getMethodCode(methods), data: beginCell().endCell() });
  }

  /** The state after the transaction that deployed an account. */
  async function afterDeployment({ code, data, deployed }: FirstState) {
    const { in_msg: message, lt, now } = deployed!;
    const cell = beginCell().store(
      storeMessage({
        info: {
          type: 'internal',
          ihrDisabled: true,
          bounce: message.bounce ?? true,
          bounced: false,
          src: parse(message.source),
          dest: parse(message.destination),
          ihrFee: 0n,
          value: { coins: BigInt(message.value!) },
          forwardFee: BigInt(message.fwd_fee!),
          createdLt: BigInt(message.created_lt!),
          createdAt: message.created_at!,
        },
        init: { code, data },
        body: Cell.fromBase64(message.body_boc),
      }),
    );
    const outcome = await vm.runTransaction({
      message: boc(cell.endCell()),
      shardAccount: NO_ACCOUNT,
      config,
      lt: BigInt(lt),
      utime: now,
      randSeed: RAND_SEED,
    });
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
    const { account } = loadShardAccount(Cell.fromBoc(outcome.shardAccount)[0]!.beginParse());
    if (account?.storage.state.type !== 'active') throw new Error('not deployed');
    return account.storage.state.state.data!;
  }

  /** The amount in the message that deployed a wallet; undefined if the jetton uses another message. */
  function amountOf({ aborted, in_msg: message }: TraceTransaction): bigint | undefined {
    const body = Cell.fromBase64(message.body_boc).beginParse();
    if (body.loadUint(32) !== INTERNAL_TRANSFER) return undefined;
    return aborted ? 0n : body.skip(64).loadCoins();
  }

  /** The initial state of a wallet, from its own messages or from those of another wallet of the jetton. */
  function firstStateOf({ account, fields }: InterfaceRecord): FirstState | undefined {
    if (states.has(account)) return states.get(account);
    const sibling = ofKind('JettonWallet').find(
      (other) => other.fields.jetton === fields.jetton && states.has(other.account),
    );
    const state = sibling && states.get(sibling.account);
    return state && stateOfSibling(state, String(sibling.fields.owner), String(fields.owner), account);
  }

  /** The detected columns of a wallet; the result of its jetton is given. */
  async function detectWallet({ account, fields }: InterfaceRecord, state: FirstState) {
    const data = state.deployed === undefined ? state.data : await afterDeployment(state);
    const probe = probes.put({ account: parse(account), code: state.code, data });
    standIn(fields.jetton, { get_wallet_address: [address(parse(fields.owner))] });
    expect(await undefinedOnMismatch(JETTON_WALLET.detect(probe, known))).toBeUndefined();
    standIn(fields.jetton, { get_wallet_address: [address(parse(account))] });
    return JETTON_WALLET.detect(probe, known);
  }

  it.runIf(isLongRun)('include the known jetton wallets', async () => {
    const counts = { records: 0, reproduced: 0, withBalance: 0, library: 0, unknown: 0 };
    const wallets = new Map<string, ReturnType<typeof detectWallet>>();
    for (const record of ofKind('JettonWallet')) {
      counts.records++;
      const { account, fields } = record;
      const state = firstStateOf(record);
      if (state === undefined) counts.unknown++;
      else if (state.code.isExotic) counts.library++;
      else {
        const wallet = wallets.get(account) ?? detectWallet(record, state);
        wallets.set(account, wallet);
        const found = await wallet;
        expect(found).toMatchObject({ owner: keyOf(fields.owner), jetton: keyOf(fields.jetton) });
        counts.reproduced++;
        if (state.deployed === undefined) continue;
        expect(found.balance).toBe(amountOf(state.deployed) ?? found.balance);
        if (Number(found.balance) === Number(fields.balance)) counts.withBalance++;
      }
    }
    console.log('wallets of jettons:', counts);
    expect(counts.reproduced + counts.library + counts.unknown).toBe(counts.records);
    expect(counts.reproduced).toBeGreaterThanOrEqual(44);
    expect(counts.withBalance).toBeGreaterThanOrEqual(2);
  });

  it('include the known NFT items', async () => {
    const counts = { records: 0, reproduced: 0, unknown: 0 };
    for (const { account, fields } of ofKind('NftItem')) {
      counts.records++;
      const state = states.get(account);
      if (state?.deployed === undefined) {
        counts.unknown++;
        continue;
      }
      const content = fields.content as Record<string, string>;
      standIn(fields.collection_address, {
        get_nft_address_by_index: [address(parse(account))],
        get_nft_content: [cell(onChainContent(content))],
      });
      const data = await afterDeployment(state);
      const probe = probes.put({ account: parse(account), code: state.code, data });
      expect(await NFT_ITEM.detect(probe, known)).toEqual({
        init: fields.init,
        index: BigInt(String(fields.index)),
        content,
        collection: keyOf(fields.collection_address),
        owner: keyOf(fields.owner_address),
      });
      counts.reproduced++;
    }
    console.log('items:', counts);
    expect(counts.reproduced).toBeGreaterThanOrEqual(2);
  });
});
