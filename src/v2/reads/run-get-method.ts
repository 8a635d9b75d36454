import { readStackBoc } from '../../chain/stack/read-stack.ts';
import { intEntry, type StackEntry } from '../../chain/stack/stack-entry.ts';
import { writeStackBoc } from '../../chain/stack/write-stack.ts';
import { Failure } from '../../lib/failure.ts';
import { proving } from '../../lite/proofs/proof-scope.ts';
import { runSmcMethod } from '../../lite/queries/run-smc-method.ts';
import type { LiteTarget } from '../../lite/session.ts';
import { type GetMethodRun, MAX_BALANCE } from '../../vm/get-method-run.ts';
import type { V2Call } from '../call.ts';
import type { AccountAt } from './account-at.ts';
import { type Contract, contractOf } from './contract.ts';
import { latestConfig } from './latest-config.ts';
import { RunLibraries } from './run-libraries.ts';

/** What a get-method gave; the top of the stack comes last. */
export interface GetMethodAnswer {
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
  call: V2Call,
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
  call: V2Call,
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
  { ports }: V2Call,
  { session, block }: AccountAt,
  { account }: Contract,
  { methodId, stack = NOTHING }: Question,
): Promise<GetMethodAnswer | undefined> {
  const method = { block, account, methodId: BigInt(methodId), params: Buffer.from(stack) };
  return session.run(async ({ query }) => {
    const { exitCode, result = NOTHING } = await runSmcMethod(query, method, ports.check);
    if (exitCode === REMOTE_NO_CODE) return undefined;
    return { exitCode, gasUsed: 0, stack: proving('VALIDATE_ACCOUNT_STATE', () => readStackBoc(result)) };
  });
}
