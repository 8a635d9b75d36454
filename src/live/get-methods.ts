import type { Cells } from '../chain/boc/cells.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { intEntry, type StackEntry } from '../chain/stack/entries.ts';
import { readStackBoc, writeStackBoc } from '../chain/stack/vm-stack.ts';
import { readAccount } from '../chain/tlb/account.ts';
import { readExtraCurrencies } from '../chain/tlb/currency.ts';
import { librariesIn } from '../chain/tlb/libraries.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { Failure } from '../lib/errors.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import { runSmcMethod } from '../lite/methods/get-methods.ts';
import { refuse, runProofCheck } from '../lite/methods/proofs.ts';
import type { LiteTarget } from '../lite/session.ts';
import { type GetMethodRun, MAX_BALANCE } from '../vm/runs.ts';
import { isNewerThanEmulator, type RunLimits } from '../vm/vm.ts';
import type { AccountAt } from './accounts.ts';
import type { CodeTextCache, Contract, LiveCaches } from './caches.ts';
import { readBlockConfig } from './config.ts';
import { RunLibraries } from './libraries.ts';
import type { LiveCall, LivePorts } from './session.ts';

/** The result of a get-method; the top of the stack comes last. */
export interface GetMethodResult {
  /** 0 and 1 are success, -13 is an account without code. */
  readonly exitCode: number;
  readonly gasUsed: number;
  readonly stack: readonly StackEntry[];
}

type MethodCall = Pick<GetMethodRun, 'methodId' | 'stack'>;

const NO_CODE = -13;
/** Exit code of lite servers for an account without code. */
const REMOTE_NO_CODE = -256;
/** How often a run is restarted because it needs a library that was not loaded. */
const MAX_RESTARTS = 8;
const NO_BYTES = Buffer.alloc(0);

/**
 * Runs a get-method on an account as it was read. Config and previous blocks are those of the session's reference block,
 * also for an account at an old block, as in existing servers.
 */
export async function runGetMethod(
  call: LiveCall,
  at: AccountAt,
  methodId: number,
  stack: readonly StackEntry[],
): Promise<GetMethodResult> {
  const contract = contractOf(call.ports.caches, at.proven);
  const method = { methodId, stack: stack.length === 0 ? undefined : writeStackBoc(stack) };
  const run = async (of: Contract): Promise<GetMethodResult | undefined> => {
    const local = runsRemotely(call.ports)
      ? undefined
      : await at.session.run((target) => runLocally(call, target, of, method));
    return local ?? runRemotely(call, at, of, method);
  };
  const result = contract && (await run(contract));
  return result ?? { exitCode: NO_CODE, gasUsed: 0, stack: [...stack, intEntry(methodId)] };
}

/** Whether get-methods run on lite servers: also where their TVM knows rules that ours does not. */
export function runsRemotely({ getMethods, caches }: Pick<LivePorts, 'getMethods' | 'caches'>): boolean {
  return getMethods === 'auto' ? isNewerThanEmulator(caches.globalVersion) : getMethods === 'remote';
}

/** Undefined if the config of the block turns out to be newer than our TVM. */
async function runLocally(
  call: LiveCall,
  target: LiteTarget,
  contract: Contract,
  method: MethodCall,
): Promise<GetMethodResult | undefined> {
  if (contract.run.balance > MAX_BALANCE)
    throw new Failure(
      'lite_server',
      'get-methods of an account cannot be run with a balance of 2^63 nanotons or more',
    );
  const { vm: config, prevBlocks } = await readBlockConfig(call, target);
  if (runsRemotely(call.ports)) return undefined;
  const libraries = new RunLibraries(call, target);
  await libraries.find(contract.libraries);
  for (let restarts = 0; ; restarts++) {
    const run = { ...contract.run, ...method, config, prevBlocks, libraries: libraries.share() };
    const result = await call.ports.vm.runGetMethod(run, runLimitsOf(call));
    const { exitCode, gasUsed, missingLibrary } = result;
    if (missingLibrary !== undefined) {
      if (restarts === MAX_RESTARTS) throw new Failure('lite_server', 'Too many missing libraries');
      if ((await libraries.find([missingLibrary])).length > 0) continue;
    }
    return { exitCode, gasUsed, stack: readStackBoc(result.stack) };
  }
}

/** Runs a get-method on the lite server, which does not report the gas used; undefined without code. */
function runRemotely(
  { ports }: LiveCall,
  { session, block }: AccountAt,
  { account }: Contract,
  { methodId, stack = NO_BYTES }: MethodCall,
): Promise<GetMethodResult | undefined> {
  const method = { block, account, methodId: BigInt(methodId), params: Buffer.from(stack) };
  return session.run(async ({ query }) => {
    const { exitCode, result = NO_BYTES } = await runSmcMethod(query, method, ports.check);
    if (exitCode === REMOTE_NO_CODE) return undefined;
    const resultStack = runProofCheck('VALIDATE_ACCOUNT_STATE', () => readStackBoc(result));
    return { exitCode, gasUsed: 0, stack: resultStack };
  });
}

/** The data of an account without data: an empty cell as a bag of cells. */
const EMPTY_CELL = 'te6ccgEBAQEAAgAAAA==';

/** Prepares an account for get-method runs, once for as long as it is cached; undefined without code. */
export function contractOf(
  { contracts, codeTexts }: Pick<LiveCaches, 'contracts' | 'codeTexts'>,
  proven: ProvenAccount,
): Contract | undefined {
  if (contracts.has(proven)) return contracts.get(proven);
  const contract = readContract(proven, codeTexts);
  contracts.set(proven, contract);
  return contract;
}

function readContract(
  { account: result, genUtime }: ProvenAccount,
  codeTexts: CodeTextCache,
): Contract | undefined {
  if (result === undefined) return undefined;
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const { cells } = result;
    const account = readAccount(cells, result.cell);
    if (account?.state.kind !== 'active' || account.state.init.code < 0) return undefined;
    const { code, data } = account.state.init;
    const { address } = account;
    const { workchain, hash } =
      address.kind === 'std' ? address : refuse('account address is not 256 bits long');
    return {
      account: { workchain, hash },
      run: {
        code: codeTexts.textOf({ cells, cell: code }),
        codeHash: bytesKey(cells.hash(code, 0)),
        data: data < 0 ? EMPTY_CELL : runBocText(cells, data),
        address: `${workchain}:${hash.toString('hex')}`,
        balance: account.balance.grams,
        extraCurrencies: readExtraCurrencies(cells, account.balance),
        utime: genUtime,
      },
      libraries: librariesIn(cells, code),
    };
  });
}

/** A run takes cells in any order, so this is not the order of `bocText`, which clients see. */
function runBocText(cells: Cells, cell: number): string {
  return writeCellBoc(cells, cell).toString('base64');
}

/** A call starts no further run after this time of TVM threads. One run is bounded by its gas, or by the VM's time limit. */
const MAX_CALL_VM_MS = 2000;

/**
 * Throws if the caller has used up its TVM time. Operations call it before they wait for anything, so that no other
 * caller has joined the call yet, who would get the refusal too.
 */
export function admitToVm({ ports, payer }: LiveCall): void {
  ports.vm.admit(payer);
}

/** The same for get-methods, which may run elsewhere. */
export function admitGetMethod(call: LiveCall): void {
  if (!runsRemotely(call.ports)) admitToVm(call);
}

/** The limits of a run of a call: it is charged to the caller, and counts for the call. */
export function runLimitsOf(call: LiveCall): RunLimits & { readonly timeoutMs: number } {
  if (call.vmMs > MAX_CALL_VM_MS)
    throw new Failure('timeout', `the runs of this call took more than ${MAX_CALL_VM_MS} ms`);
  return {
    timeoutMs: call.deadlineMs - performance.now(),
    signal: call.signal,
    payer: call.payer,
    onEnd: (ms) => {
      call.vmMs += ms;
    },
  };
}
