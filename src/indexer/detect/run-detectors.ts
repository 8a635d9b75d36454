import { CellFault } from '../../chain/boc/cell-fault.ts';
import { NotThat } from '../../chain/contracts/not-that.ts';
import type { Probe } from '../../chain/contracts/probe.ts';
import type { ContractTable } from '../../db/contract-tables.ts';
import type { ContractColumns, Detector, KnownContracts } from './detector.ts';
import type { Findings } from './verdict-list.ts';

/** Runs detectors on a contract; throws when what one of them says is not to be had. */
export async function runDetectors(
  detectors: readonly Detector[],
  probe: Probe,
  known: KnownContracts,
): Promise<Findings> {
  const findings = new Map<ContractTable, ContractColumns | undefined>();
  // All to their end: none may go on when the account is done with.
  const settled = await Promise.allSettled(detectors.map((detector) => detector.detect(probe, known)));
  settled.forEach((outcome, i) => {
    const { table } = detectors[i]!;
    if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) throw outcome.reason;
    // Where several detectors are for one table, the first that succeeds counts.
    const columns = outcome.status === 'fulfilled' ? outcome.value : undefined;
    findings.set(table, findings.get(table) ?? columns);
  });
  return findings;
}

function isRefusal(error: unknown): boolean {
  return error instanceof NotThat || error instanceof CellFault;
}
