import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import type { LiteRequestOf } from '../../../src/chain/tl/lite-functions.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { lookUpShardAccount } from '../../../src/chain/tlb/shard-account.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { checkAnswer } from './check-answer.ts';
import {
  type Recorded,
  readRecordedBytes,
  readRecordedJson,
  recordedAnswer,
  recordedAnswers,
} from './recorded.ts';

const FINAL_SEQNO = 125;

/** What tonlib answered about the same account at the same block. */
interface TonlibAccount {
  readonly response: {
    readonly balance: string;
    readonly frozen_hash: string;
    readonly code: string;
    readonly last_transaction_id: { readonly lt: string; readonly hash: string };
    readonly sync_utime: number;
  };
}

const tonlibFile = (name: string) => `tonlib/raw.getAccountState.${name}.json`;
const hasTonlib = ({ name }: Recorded) => existsSync(new URL(tonlibFile(name), RECORDED_NETWORK));

describe.skipIf(missingNetwork !== '')(`account states of a real lite server${missingNetwork}`, () => {
  const all = recordedAnswers('accounts') as Recorded<LiteRequestOf<'getAccountState'>>[];
  const withTonlib = all.filter(hasTonlib);
  const atFinal = all.filter(({ request }) => request.id.seqno === FINAL_SEQNO);

  it('has many to compare with', () => {
    expect(withTonlib.length).toBeGreaterThan(35);
    expect(atFinal.length).toBeGreaterThan(40);
  });

  it.each(withTonlib)('$name is what tonlib says', ({ name, request, answer }) => {
    const { response } = readRecordedJson<TonlibAccount>(tonlibFile(name));
    const { account: found, ...proven } = checkAnswer(request, answer);
    expect({
      lt: String(proven.lastTransLt),
      hash: proven.lastTransHash.toString('base64'),
      utime: proven.genUtime,
    }).toEqual({
      lt: response.last_transaction_id.lt,
      hash: Buffer.from(response.last_transaction_id.hash, 'base64').toString('base64'),
      utime: response.sync_utime,
    });
    const account = found && readAccount(found.cells, found.cell);
    expect(account?.balance.grams ?? -1n).toBe(BigInt(response.balance));
    expect(account?.state.kind === 'frozen' ? account.state.stateHash.toString('base64') : '').toBe(
      response.frozen_hash,
    );
    if (account?.state.kind === 'active') {
      const code = readBoc(Buffer.from(response.code, 'base64'));
      expect(found!.cells.hash(account.state.init.code, 0)).toEqual(code.hash(code.root));
    }
  });

  it.each(atFinal)('$name is what the whole state holds', ({ request, answer }) => {
    const { shardBlock, account, lastTransLt, lastTransHash } = checkAnswer(request, answer);
    const { workchain, shard, seqno } = shardBlock;
    const hex = BigInt.asUintN(64, shard).toString(16).padStart(16, '0');
    const state = readBoc(readRecordedBytes(`states/${workchain}_${hex}_${seqno}.boc`));
    const { accounts } = readShardState(state, state.root);
    const entry = lookUpShardAccount(state, accounts, request.account.hash);
    expect(account?.cells.hash(account.cell)).toEqual(entry && state.hash(entry.account));
    expect({ lastTransLt, lastTransHash }).toEqual({
      lastTransLt: entry?.lastTransLt ?? 0n,
      lastTransHash: entry?.lastTransHash ?? Buffer.alloc(32),
    });
  });

  it.each(['alice', 'libuser', 'uninit0'])('%s without code and data has the same hash', (name) => {
    const pruned = recordedAnswer('getAccountStatePrunned', `getAccountStatePrunned_${name}`);
    const whole = recordedAnswer('getAccountState', name, 'accounts');
    const a = checkAnswer(pruned.request, pruned.answer).account!;
    const b = checkAnswer(whole.request, whole.answer).account!;
    expect(a.cells.hash(a.cell, 0)).toEqual(b.cells.hash(b.cell));
    expect(readAccount(a.cells, a.cell)?.balance.grams).toBe(readAccount(b.cells, b.cell)?.balance.grams);
  });

  it('an account as a shard block sees it', () => {
    const { request, answer } = recordedAnswer('getAccountState', 'getAccountState_shardblock');
    const { shardBlock, lastTransLt } = checkAnswer(request, answer);
    expect(shardBlock).toEqual(request.id);
    expect(lastTransLt).toBeGreaterThan(0n);
  });

  it('a method that a server ran, on a proven account', () => {
    const { request, answer } = recordedAnswer('runSmcMethod', 'runSmcMethod_alice_seqno');
    const whole = recordedAnswer('getAccountState', 'alice', 'accounts');
    const run = checkAnswer(request, answer);
    const { account, ...rest } = run.account;
    const { account: expected, ...restExpected } = checkAnswer(whole.request, whole.answer);
    expect(run.exitCode).toBe(0);
    expect(run.result?.length).toBeGreaterThan(0);
    expect(rest).toEqual(restExpected);
    expect(account!.cells.hash(account!.cell, 0)).toEqual(expected!.cells.hash(expected!.cell));
    const none = recordedAnswer('runSmcMethod', 'runSmcMethod_nonexist');
    expect(checkAnswer(none.request, none.answer).account.account).toBeUndefined();
  });
});
