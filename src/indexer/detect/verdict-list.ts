import { CONTRACT_TABLES, type ContractTable } from '../../db/contract-tables.ts';
import { keyOf } from '../hash-key.ts';
import type { JudgedState } from './detection.ts';
import type { ContractColumns } from './detector.ts';
import type { FoundContract, Verdicts } from './verdicts.ts';

/** What the detectors that applied said: columns, or undefined for a contract that is not that. */
export type Findings = ReadonlyMap<ContractTable, ContractColumns | undefined>;

const NO_FINDINGS: Findings = new Map();

/** Verdicts while they are collected. */
export class VerdictList implements Verdicts {
  readonly found: FoundContract[] = [];
  readonly withdrawn = new Map<ContractTable, Buffer[]>();
  readonly undetected = new Set<string>();
  freshZones: readonly Buffer[] = [];

  /** An account that was judged. Only one that may have been something else goes from tables that were not looked at. */
  add(state: JudgedState, findings: Findings = NO_FINDINGS): void {
    const { account, lastTransLt, codeHash, dataHash } = state;
    for (const table of state.isOther ? CONTRACT_TABLES : findings.keys()) {
      const columns = findings.get(table);
      if (columns === undefined) this.#withdraw(table, account);
      else
        this.found.push({ table, account, lastTransLt, codeHash: codeHash!, dataHash: dataHash!, columns });
    }
  }

  /** An account that cannot be judged now. */
  addUndetected({ account }: JudgedState): void {
    this.undetected.add(keyOf(account));
  }

  #withdraw(table: ContractTable, account: Buffer): void {
    const accounts = this.withdrawn.get(table);
    if (accounts === undefined) this.withdrawn.set(table, [account]);
    else accounts.push(account);
  }
}
