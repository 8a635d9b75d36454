import type { Kysely } from 'kysely';
import type { BlockId } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { Tables } from '../../db/tables.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckOptions } from '../../lite/proofs/proof-scope.ts';
import type { Vm } from '../../vm/create-vm.ts';
import type { FetchPool } from '../fetch/fetch-context.ts';
import { keyOf } from '../hash-key.ts';
import type { BatchScope } from './batch-scope.ts';
import type { Code } from './code.ts';
import type { CodeBook } from './code-book.ts';
import type { ConfigBook, KnownConfigs } from './config-book.ts';
import { type ProbeGround, probeAt } from './contract-probe.ts';
import type { JudgedBatch } from './detection.ts';
import type { CountedFigures } from './detection-figures.ts';
import type { KnownContracts } from './detector.ts';
import type { PlanDetectors } from './detector-plan.ts';
import type { FindKnownContracts } from './known-contracts.ts';
import type { BatchLibraries, LibraryBook } from './library-book.ts';
import type { LiteAsker } from './lite-asker.ts';
import type { MethodMemory } from './method-memory.ts';
import { MethodRunner } from './method-runner.ts';
import { NO_CONTRACT, OtherContracts, type OtherMemory } from './other-contracts.ts';
import { Undecided } from './undecided.ts';

/** What all judges have in common. */
export interface JudgeParts {
  readonly vm: Pick<Vm, 'runGetMethod'>;
  readonly db: Kysely<Tables>;
  readonly pool: Pick<FetchPool, 'session'>;
  readonly check: CheckOptions;
  readonly log: Log;
  readonly known: KnownContracts | FindKnownContracts;
  readonly plan: PlanDetectors;
  readonly codes: CodeBook;
  readonly libraries: LibraryBook;
  readonly configs: KnownConfigs;
  readonly methods: MethodMemory;
  readonly figures: CountedFigures;
}

/** What a judge keeps from batch to batch. */
export interface JudgeMemory {
  readonly follows: boolean;
  readonly others: OtherMemory;
  readonly configs: ConfigBook;
  /** As they were last found. */
  known: KnownContracts;
}

/** A batch that is being judged. */
export interface OpenBatch {
  readonly batch: JudgedBatch;
  readonly scope: BatchScope;
  readonly asker: LiteAsker;
  readonly libraries: BatchLibraries;
  /** The codes of its states. */
  readonly codes: ReadonlyMap<string, Code>;
  /** As of which lite servers are asked; the head if left out. */
  readonly block: BlockId | undefined;
}

/** What detectors of a batch are given. */
export interface BatchGround extends ProbeGround {
  readonly known: KnownContracts;
}

/** Makes ready what detectors of a batch need; throws Undecided when there is no configuration. */
export async function openGround(
  parts: JudgeParts,
  memory: JudgeMemory,
  { batch, scope, asker, libraries, codes, block }: OpenBatch,
): Promise<BatchGround> {
  const config = await memory.configs.read(batch, asker, scope);
  const { vm, methods, figures } = parts;
  const others = new OtherContracts({
    ...{ db: parts.db, codes: parts.codes, memory: memory.others, follows: memory.follows },
    ...{ asker, scope, block, stateCodes: codes },
    states: new Map(batch.states.map((state) => [keyOf(state.account), state])),
  });
  const ground: ProbeGround = {
    runner: new MethodRunner({ vm, memory: methods, figures, config: config.vm, libraries, scope }),
    async find(key) {
      const other = await others.find(key);
      if (other !== NO_CONTRACT && other.code.library !== undefined) await libraries.resolve([other.code]);
      return other;
    },
  };
  if (typeof parts.known === 'function') {
    const utime = batch.states.reduce((newest, { timestamp }) => Math.max(newest, timestamp), 0);
    const beside = (account: AccountId) => probeAt(ground, account, utime);
    memory.known = await parts.known({ dnsRoot: config.dnsRoot, beside }).catch((error) => {
      if (!(error instanceof Undecided)) throw error;
      return memory.known;
    });
    return { ...ground, known: memory.known };
  }
  return { ...ground, known: parts.known };
}
