import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../src/chain/boc/writer.ts';
import { parseMethodId } from '../../src/chain/contracts/method-ids.ts';
import { formatClassicStack, readClassicStack } from '../../src/chain/stack/classic.ts';
import type { StackEntry } from '../../src/chain/stack/entries.ts';
import { formatTypedStack, readTypedStack } from '../../src/chain/stack/typed.ts';
import { readStackBoc, writeStackBoc } from '../../src/chain/stack/vm-stack.ts';
import { readAccount } from '../../src/chain/tlb/account.ts';
import { readBlockInfo, readBlockRoot } from '../../src/chain/tlb/block.ts';
import { readExtraCurrencies } from '../../src/chain/tlb/currency.ts';
import { type VmContext, VmContextReader } from '../../src/localnet/vm-context.ts';
import type { GetMethodRun } from '../../src/vm/runs.ts';
import type { Vm } from '../../src/vm/vm.ts';
import { recordedAnswer, recordedBag, recordedNames } from '../chain/support/recorded-network.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { sharedVm } from '../support/shared-vm.ts';
import { masterchainId } from './recorded-chain.ts';

/** The limits of those that were recorded. */
const TONLIB_GAS_LIMIT = 1_000_000;
const LITE_GAS_LIMIT = 300_000;
const LAST = 125;

/** Accounts at the last block by name, with the addresses in the forms that requests use. */
const accounts = new Map<string, { readonly address: string; readonly raw: string }>();

/** The Python service fills the last byte of a cell's data in another way; the bag of cells beside it says it all. */
function withoutCellObjects(stack: unknown): unknown {
  return JSON.parse(JSON.stringify(stack, (key, value) => (key === 'object' ? undefined : value)));
}

/** What a run needs of a recorded account; undefined if it has no code. */
function accountRun(name: string): Omit<GetMethodRun, 'config' | 'methodId'> | undefined {
  const { state, raw, shardblk } = recordedAnswer(`accounts/${name}`);
  if (state === '') return undefined;
  const bag = readBoc(Buffer.from(state, 'base64'));
  const account = readAccount(bag, bag.root);
  if (account?.state.kind !== 'active') return undefined;
  const shard = BigInt.asUintN(64, BigInt(shardblk.shard)).toString(16);
  const block = recordedBag(`blocks/${shardblk.workchain}_${shard}_${shardblk.seqno}`);
  return {
    code: writeCellBoc(bag, account.state.init.code),
    data: writeCellBoc(bag, account.state.init.data),
    address: raw,
    balance: account.balance.grams,
    extraCurrencies: readExtraCurrencies(bag, account.balance),
    utime: readBlockInfo(block, readBlockRoot(block, block.root).info).genUtime,
  };
}

describe.skipIf(missingNetwork !== '')(`get-methods of the recorded network${missingNetwork}`, () => {
  let vm: Vm;
  let surroundings: VmContext;
  beforeAll(() => {
    vm = sharedVm();
    for (const name of recordedNames('accounts'))
      if (!name.includes('@')) accounts.set(name, recordedAnswer(`accounts/${name}`));
    const last = recordedAnswer('index').masterchain.at(-1).block;
    const state = recordedBag(`states/-1_8000000000000000_${last.seqno}`);
    surroundings = new VmContextReader().read(masterchainId(last), { cells: state, cell: state.root });
  });
  afterAll(() => vm.close());

  async function run(account: string, method: unknown, args: StackEntry[], gasLimit = TONLIB_GAS_LIMIT) {
    const state = accountRun(account);
    if (state === undefined) return undefined;
    const methodId = parseMethodId(method);
    const stack = writeStackBoc(args);
    const limits = { timeoutMs: 60_000 };
    return vm.runGetMethod({ ...state, ...surroundings, methodId, stack, gasLimit }, limits);
  }

  it('return the same as a lite server', async () => {
    const compared: string[] = [];
    for (const name of recordedNames('lite').filter((file) => file.startsWith('runSmcMethod_'))) {
      const { request, response } = recordedAnswer(`lite/${name}`);
      const { id, account, method_id: method, params } = request.params;
      const raw = `${account.workchain}:${Buffer.from(account.id, 'base64').toString('hex')}`;
      const found = [...accounts].find(([, { raw: other }]) => other === raw)?.[0];
      const args = params === '' ? [] : readStackBoc(Buffer.from(params, 'base64'));
      const file = id.seqno === LAST ? found! : `${found}@${id.seqno}`;
      const result = await run(file, Number(method), args, LITE_GAS_LIMIT);
      const { exit_code: exitCode, result: stack } = response.decoded;
      // The mode of some questions asks for no result.
      if (result === undefined || !stack) continue;
      expect(result.exitCode, name).toBe(exitCode);
      const [ours, theirs] = [result.stack, Buffer.from(stack, 'base64')].map((bytes) => readBoc(bytes));
      expect(ours!.hash(ours!.root), name).toEqual(theirs!.hash(theirs!.root));
      compared.push(name);
    }
    expect(compared.length, compared.join()).toBe(25);
  });

  it('return the same as TON Center', async () => {
    const compared: string[] = [];
    for (const name of recordedNames('http').filter((file) => file.startsWith('runGetMethod.'))) {
      const { body_sent: sent, status, body } = recordedAnswer(`http/${name}`);
      const found = [...accounts].find(([, { address }]) => sent?.address === address)?.[0];
      const account = (sent?.seqno ?? LAST) === LAST ? found : `${found}@${sent.seqno}`;
      // The Python service takes a number for the name of a method, and passes on numbers that TVM cannot hold.
      if (status !== 200 || account === undefined || /^[0-9]+$/.test(sent.method) || name.endsWith('toobig'))
        continue;
      const result = await run(account, sent.method, readClassicStack(sent.stack));
      if (result === undefined) continue;
      expect([result.exitCode, result.gasUsed], name).toEqual([body.result.exit_code, body.result.gas_used]);
      const stack = formatClassicStack(readStackBoc(result.stack));
      expect(withoutCellObjects(stack), name).toEqual(withoutCellObjects(body.result.stack));
      compared.push(name);
    }
    expect(compared.length, compared.join()).toBe(28);
  });

  it('return the same as tonlib', async () => {
    const compared: string[] = [];
    for (const name of recordedNames('tonlib').filter((file) => file.startsWith('runGetMethod.'))) {
      const { account, request, response } = recordedAnswer(`tonlib/${name}`);
      if (response['@type'] !== 'smc.runResult' || name.endsWith('too_big')) continue;
      const { method, stack } = request[1];
      const at = name.match(/@.*$/)?.[0] ?? '';
      const file = account.includes('@') ? account : `${account}${at}`;
      const result = await run(file, method.name ?? method.number, readTypedStack(stack));
      if (result === undefined) continue;
      const { exitCode: exit_code, gasUsed: gas_used } = result;
      const found = { exit_code, gas_used, stack: formatTypedStack(readStackBoc(result.stack)) };
      expect(found, name).toEqual({
        exit_code: response.exit_code,
        gas_used: response.gas_used,
        stack: response.stack,
      });
      compared.push(name);
    }
    expect(compared.length, compared.join()).toBe(37);
  });
});
