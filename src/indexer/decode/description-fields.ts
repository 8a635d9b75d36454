import type { Cells } from '../../chain/boc/cells.ts';
import type { ActionPhase } from '../../chain/tlb/transaction-action-phase.ts';
import type { ComputePhase, VmComputePhase } from '../../chain/tlb/transaction-compute-phase.ts';
import type { AnyDescription, TransactionDescription } from '../../chain/tlb/transaction-description.ts';
import type { BouncePhase } from '../../chain/tlb/transaction-phases.ts';
import type { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import { extraJson } from './extra-json.ts';

/** Writes the columns from `aborted` to the end: what happened in a transaction. */
export function putDescription(rows: CopyBuffer, cells: Cells, description: TransactionDescription): void {
  const { storage, credit, compute, action, bounce, splitInfo, ...flags }: AnyDescription = description;
  rows
    .bool(flags.aborted)
    .bool(flags.destroyed)
    .bool(flags.creditFirst)
    .bool(flags.isTock)
    .bool(flags.installed)
    .numeric(storage?.storageFeesCollected)
    .numeric(storage?.storageFeesDue)
    .text(storage?.statusChange)
    .numeric(credit?.dueFeesCollected)
    .numeric(credit?.credit.grams)
    .json(credit && extraJson(cells, credit.credit.extra));
  putCompute(rows, compute);
  putAction(rows, action);
  putBounce(rows, bounce);
  rows
    .int2(splitInfo?.curShardPfxLen)
    .int2(splitInfo?.accSplitDepth)
    .bytes(splitInfo?.thisAddr)
    .bytes(splitInfo?.siblingAddr);
}

function putCompute(rows: CopyBuffer, compute: ComputePhase | undefined): void {
  rows.bool(compute?.skipped).text(compute?.skipped === true ? compute.reason : undefined);
  const vm: VmComputePhase | undefined = compute?.skipped === false ? compute : undefined;
  rows
    .bool(vm?.success)
    .bool(vm?.msgStateUsed)
    .bool(vm?.accountActivated)
    .numeric(vm?.gasFees)
    .int8(vm?.gasUsed)
    .int8(vm?.gasLimit)
    .int4(vm?.gasCredit)
    .int2(vm?.mode)
    .int4(vm?.exitCode)
    .int4(vm?.exitArg)
    .int8(vm?.vmSteps)
    .bytes(unlessZero(vm?.vmInitStateHash))
    .bytes(unlessZero(vm?.vmFinalStateHash));
}

function putAction(rows: CopyBuffer, action: ActionPhase | undefined): void {
  rows
    .bool(action?.success)
    .bool(action?.valid)
    .bool(action?.noFunds)
    .text(action?.statusChange)
    .numeric(action?.totalFwdFees)
    .numeric(action?.totalActionFees)
    .int4(action?.resultCode)
    .int4(action?.resultArg)
    .int4(action?.totActions)
    .int4(action?.specActions)
    .int4(action?.skippedActions)
    .int4(action?.msgsCreated)
    .bytes(action?.actionListHash)
    .int8(action?.totMsgSize.cells)
    .int8(action?.totMsgSize.bits);
}

function putBounce(rows: CopyBuffer, bounce: BouncePhase | undefined): void {
  const size = bounce === undefined || bounce.kind === 'negfunds' ? undefined : bounce.msgSize;
  rows
    .text(bounce?.kind)
    .int8(size?.cells)
    .int8(size?.bits)
    .numeric(bounce?.kind === 'nofunds' ? bounce.reqFwdFees : undefined)
    .numeric(bounce?.kind === 'ok' ? bounce.msgFees : undefined)
    .numeric(bounce?.kind === 'ok' ? bounce.fwdFees : undefined);
}

/** Blocks of today write zeros where the hash of a state of the virtual machine was meant to be. */
function unlessZero(hash: Buffer | undefined): Buffer | undefined {
  return hash?.some((byte) => byte !== 0) ? hash : undefined;
}
