import type { AccountId } from '../chain/address.ts';
import type { Cells } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { intEntry, type StackEntry } from '../chain/stack/entries.ts';
import { readStackBoc, writeStackBoc } from '../chain/stack/vm-stack.ts';
import { type Account, readAccount } from '../chain/tlb/account.ts';
import { readExtraCurrencies } from '../chain/tlb/currency.ts';
import { librariesIn } from '../chain/tlb/libraries.ts';
import { Failure } from '../lib/errors.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import { runSmcMethod } from '../lite/methods/get-methods.ts';
import { refuse, runProofCheck } from '../lite/methods/proofs.ts';
import type { LiteTarget } from '../lite/session.ts';
import { type GetMethodRun, MAX_BALANCE } from '../vm/runs.ts';
import type { AccountAt } from './accounts.ts';
import { latestConfig } from './config.ts';
import { RunLibraries } from './libraries.ts';
import type { CodeTextCache, Contract, Contracts } from './memory.ts';
import type { LiveCall } from './session.ts';

/** What a get-method gave; the top of the stack comes last. */
interface GetMethodAnswer {
  /** 0 and 1 are success. -13 is an account without code. */
  readonly exitCode: number;
  readonly gasUsed: number;
  readonly stack: readonly StackEntry[];
}

/** What is asked of a contract. */
type Question = Pick<GetMethodRun, 'methodId' | 'stack'>;

const NO_CODE = -13;
/** What lite servers say where there is no code. */
const REMOTE_NO_CODE = -256;
/** How often a run begins anew because it came upon a library that was not there. */
const MAX_RESTARTS = 8;
const NOTHING = Buffer.alloc(0);

/**
 * Runs a get-method of an account as it was read. The configuration and the blocks before are those of the session's
 * reference block, also for an account of long ago: that is what existing servers do.
 */
export async function runGetMethod(
  call: LiveCall,
  at: AccountAt,
  methodId: number,
  stack: readonly StackEntry[],
): Promise<GetMethodAnswer> {
  const contract = contractOf(call.ports.memory, at.proven);
  const question = { methodId, stack: stack.length === 0 ? undefined : writeStackBoc(stack) };
  const answer =
    contract &&
    (call.ports.getMethods === 'remote'
      ? await runThere(call, at, contract, question)
      : await at.session.run((target) => runHere(call, target, contract, question)));
  if (answer === undefined) return { exitCode: NO_CODE, gasUsed: 0, stack: [...stack, intEntry(methodId)] };
  return answer;
}

async function runHere(
  call: LiveCall,
  target: LiteTarget,
  contract: Contract,
  question: Question,
): Promise<GetMethodAnswer> {
  if (contract.run.balance > MAX_BALANCE)
    throw new Failure(
      'lite_server',
      'get-methods of an account cannot be run with a balance of 2^63 nanotons or more',
    );
  const { vm: config, prevBlocks } = await latestConfig(call, target);
  const libraries = new RunLibraries(call, target);
  await libraries.find(contract.libraries);
  for (let restarts = 0; ; restarts++) {
    const run = { ...contract.run, ...question, config, prevBlocks, libraries: libraries.share() };
    const limits = { timeoutMs: call.deadlineMs - performance.now(), signal: call.signal };
    const result = await call.ports.vm.runGetMethod(run, limits);
    const { exitCode, gasUsed, missingLibrary } = result;
    if (missingLibrary !== undefined) {
      if (restarts === MAX_RESTARTS) throw new Failure('lite_server', 'Too many missing libraries');
      if ((await libraries.find([missingLibrary])).length > 0) continue;
    }
    return { exitCode, gasUsed, stack: readStackBoc(result.stack) };
  }
}

/** What the lite server says; undefined where it finds no code. It does not tell the gas. */
function runThere(
  { ports }: LiveCall,
  { session, block }: AccountAt,
  { account }: Contract,
  { methodId, stack = NOTHING }: Question,
): Promise<GetMethodAnswer | undefined> {
  const method = { block, account, methodId: BigInt(methodId), params: Buffer.from(stack) };
  return session.run(async ({ query }) => {
    const { exitCode, result = NOTHING } = await runSmcMethod(query, method, ports.check);
    if (exitCode === REMOTE_NO_CODE) return undefined;
    return {
      exitCode,
      gasUsed: 0,
      stack: runProofCheck('VALIDATE_ACCOUNT_STATE', () => readStackBoc(result)),
    };
  });
}

/** A bag of cells with an empty cell, for an account without data. */
const EMPTY_CELL = 'te6ccgEBAQEAAgAAAA==';

/** What runs need of an account, made once for as long as the account is remembered; undefined without code. */
export function contractOf(
  { contracts, codeTexts }: { readonly contracts: Contracts; readonly codeTexts: CodeTextCache },
  proven: ProvenAccount,
): Contract | undefined {
  if (contracts.has(proven)) return contracts.get(proven);
  const contract = readContract(proven, codeTexts);
  contracts.set(proven, contract);
  return contract;
}

function readContract(
  { account: found, genUtime }: ProvenAccount,
  codeTexts: CodeTextCache,
): Contract | undefined {
  if (found === undefined) return undefined;
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const { cells } = found;
    const account = readAccount(cells, found.cell);
    if (account?.state.kind !== 'active' || account.state.init.code < 0) return undefined;
    const { code, data } = account.state.init;
    const { workchain, hash } = placeOf(account);
    return {
      account: { workchain, hash },
      run: {
        code: codeTexts.textOf({ cells, cell: code }),
        data: data < 0 ? EMPTY_CELL : bocText(cells, data),
        address: `${workchain}:${hash.toString('hex')}`,
        balance: account.balance.grams,
        extraCurrencies: readExtraCurrencies(cells, account.balance),
        utime: genUtime,
      },
      libraries: librariesIn(cells, code),
    };
  });
}

function placeOf({ address }: Account): AccountId {
  return address.kind === 'std' ? address : refuse('an account with an address of another length');
}

function bocText(cells: Cells, cell: number): string {
  return writeBoc({ cells, roots: [cell] }, { order: 'core', crc: false }).toString('base64');
}
