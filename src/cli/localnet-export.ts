import { resolve } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { Failure, UsageError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { chainFolder } from '../localnet/chain/chain-folder.ts';
import { exportPacks } from '../localnet/chain/export-packs.ts';
import { exportStates } from '../localnet/chain/export-states.ts';
import { withStoredChain } from '../localnet/chain/stored-chain.ts';
import { readArguments, text } from './arguments.ts';

interface ExportPorts {
  readonly args: readonly string[];
  readonly settings: () => Settings;
  readonly log: Log;
  readonly out: TextOutput;
}

const USAGE =
  'usage: localnet export --packs DIR, or localnet export --states DIR [--split-depth N] [--snapshot NAME]';

/** The default splits nothing, as the configuration of a local chain. */
const SPLIT_DEPTH = '0';
const MAX_SPLIT_DEPTH = 8;

/** Writes files of a local chain as a node has them: its blocks, its states, or both. */
export async function exportCommand({ args, settings, log, out }: ExportPorts): Promise<number> {
  const options = { packs: text, states: text, snapshot: text, 'split-depth': text } as const;
  const { values } = readArguments({ args, options }, (reason) => `localnet export: ${reason}; ${USAGE}`);
  const { packs, states, snapshot, 'split-depth': depth = SPLIT_DEPTH } = values;
  if (packs === undefined && states === undefined)
    throw new UsageError(`localnet export: expected --packs or --states; ${USAGE}`);
  if (!/^\d$/.test(depth) || Number(depth) > MAX_SPLIT_DEPTH)
    throw new UsageError(`--split-depth is "${depth}": expected a number up to ${MAX_SPLIT_DEPTH}; ${USAGE}`);
  if (packs !== undefined && snapshot !== undefined)
    throw new UsageError(`localnet export: --snapshot does not go with --packs; ${USAGE}`);
  const folder = chainFolder(settings().dataDir);
  try {
    if (packs !== undefined) {
      const { masterchainBlocks, shardBlocks, slices } = await exportPacks(folder, packs, log);
      out.write(
        `${masterchainBlocks} masterchain blocks and ${shardBlocks} shard blocks in ${slices} slices below ${packs}\n`,
      );
    }
    if (states !== undefined) {
      const options = { folder: resolve(states), splitDepth: Number(depth) };
      const names = await withStoredChain({ folder, snapshot, log }, (store) =>
        exportStates({ store, ...options }),
      );
      out.write(
        `${names.map((name) => `${name}\n`).join('')}${names.length} files of states in ${resolve(states)}\n`,
      );
    }
    return 0;
  } catch (error) {
    throw error instanceof Failure ? new UsageError(`localnet export: ${error.message}`) : error;
  }
}
