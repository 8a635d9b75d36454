import { readBoc } from '../chain/boc/read-boc.ts';
import { configParam } from '../chain/tlb/config.ts';
import { readGlobalVersion } from '../chain/tlb/config-global-version.ts';
import { type SharedBoc, shareBoc } from './shared-boc.ts';
import { trimConfig } from './trim-config.ts';

/** A configuration that runs refer to. */
export interface VmConfig {
  readonly globalVersion: number;
  readonly full: SharedBoc;
  /** What is enough for most get-methods; undefined where it might not be. */
  readonly trimmed: SharedBoc | undefined;
}

/** Before this version instructions that send and count fees look into the configuration itself. */
const UNPACKED_CONFIG_SINCE = 6;

/**
 * Prepares a configuration for runs: the bag of cells whose root is that of the dictionary of parameters. It takes
 * milliseconds, so do it once for each configuration and keep the result.
 */
export function prepareConfig(boc: Uint8Array): VmConfig {
  const bag = readBoc(boc);
  const version = configParam(bag, bag.root, 8);
  const globalVersion = version < 0 ? 0 : readGlobalVersion(bag, version).version;
  const trimmed =
    globalVersion < UNPACKED_CONFIG_SINCE
      ? undefined
      : shareBoc(trimConfig(bag, bag.root).toBoc({ idx: false, crc32: false }));
  return { globalVersion, full: shareBoc(boc), trimmed };
}
