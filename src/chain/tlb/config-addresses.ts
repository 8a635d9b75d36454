import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { configParam } from './config.ts';
import { walkDictionary } from './dictionary.ts';

/** Masterchain accounts with a part to play; each is the id of an account, undefined where nothing is set. */
export interface ConfigAddresses {
  readonly config: Buffer | undefined;
  readonly elector: Buffer | undefined;
  readonly minter: Buffer | undefined;
  readonly feeCollector: Buffer | undefined;
  readonly dnsRoot: Buffer | undefined;
}

/** Reads parameters 0 to 4. The minter is the configuration contract and the fee collector the elector if not set. */
export function readConfigAddresses(cells: Cells, root: number): ConfigAddresses {
  const config = readConfigAddress(cells, root, 0);
  const elector = readConfigAddress(cells, root, 1);
  return {
    config,
    elector,
    minter: readConfigAddress(cells, root, 2) ?? config,
    feeCollector: readConfigAddress(cells, root, 3) ?? elector,
    dnsRoot: readConfigAddress(cells, root, 4),
  };
}

/** Reads one of parameters 0 to 4; undefined where it is not there. */
export function readConfigAddress(cells: Cells, root: number, index: 0 | 1 | 2 | 3 | 4): Buffer | undefined {
  const cell = configParam(cells, root, index);
  return cell < 0 ? undefined : new Slice(cells, cell).hash();
}

/** Reads parameter 31: the accounts that live without paying. */
export function readFundamentalAddresses(cells: Cells, cell: number): Buffer[] {
  const addresses: Buffer[] = [];
  const root = new Slice(cells, cell).maybeRef();
  if (root >= 0)
    walkDictionary(cells, root, 256, (id) => {
      addresses.push(Buffer.from(id));
    });
  return addresses;
}
