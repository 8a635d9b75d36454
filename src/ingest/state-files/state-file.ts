import { CellError } from '../../chain/boc/cells.ts';
import { readShardAccounts } from '../../chain/tlb/shard-accounts.ts';
import { BagFile } from './bag-file.ts';
import { FileCells } from './file-cells.ts';
import { hashCells } from './hash-cells.ts';
import { HashFile } from './hash-file.ts';
import { type FileAccount, readAccounts } from './read-accounts.ts';

export interface OpenStateFileOptions {
  /** For hashes that do not fit into memory: about as large as the file. */
  readonly workFolder: string;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the share of a file's cells that were hashed. */
  readonly onHashed?: ((path: string, share: number) => void) | undefined;
}

/** A file with a state or a part of one, whose cells are hashed. */
export type StateFile = Awaited<ReturnType<typeof openStateFile>>;

/** Opens a file and hashes its cells; throws StateFileError if it is malformed. What it holds is proven by its root's hash. */
export async function openStateFile(path: string, { workFolder, signal, onHashed }: OpenStateFileOptions) {
  const bag = new BagFile(path);
  const hashes = new HashFile(workFolder, bag.count);
  const close = (): void => {
    bag.close();
    hashes.close();
  };
  try {
    const onProgress = (done: number): void => onHashed?.(path, done / bag.count);
    await hashCells(bag, hashes, { signal, onProgress });
    await bag.checkSum(signal);
  } catch (error) {
    close();
    throw error;
  }
  const cells = new FileCells(bag, hashes);

  /** Reads below the root; malformed cells become errors of the file. */
  function read<T>(readCells: (root: number) => T): T {
    const root = cells.open(bag.root);
    try {
      return readCells(root);
    } catch (error) {
      throw error instanceof CellError ? cells.fault(root, error) : error;
    }
  }

  return {
    path,
    size: bag.size,
    cells,
    /** The hash of the root. */
    hash: read((root) => cells.hash(root, 0)),
    close,
    read,
    /** An error about the whole file. */
    fault: (reason: string) => bag.fault(reason),
    /**
     * The accounts in ascending order of their ids, after an id if one is given. `find` finds the cell of all accounts below
     * the root.
     */
    accounts(find: (root: number) => number, after?: Buffer): Generator<FileAccount, void> {
      const root = read((top) => {
        const { root: dictionary } = readShardAccounts(cells, find(top));
        return dictionary < 0 ? -1 : cells.numberOf(dictionary);
      });
      return readAccounts(cells, root, { after, maxNodes: bag.count });
    },
  };
}
