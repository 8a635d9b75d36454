import { shardText } from '../../chain/block-id.ts';
import { CellError, type CellRef, MERKLE_PROOF } from '../../chain/boc/cells.ts';
import { lowestBit, shardContains, shardPrefixBits, shardsOfDepth } from '../../chain/shards.ts';
import { readBlockInfo, readBlockRoot, readStateUpdate } from '../../chain/tlb/block.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import { hashOfStatePart } from '../../chain/tlb/split-state.ts';
import type { ShardStateFiles } from './find-state-files.ts';
import type { FileAccount } from './read-accounts.ts';
import { type OpenStateFileOptions, openStateFile, type StateFile } from './state-file.ts';
import { StateFileError } from './state-file-error.ts';

/** The hash of the state of a shard by its block. */
export interface ProvenState {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly hash: Buffer;
}

/** The state that a block leads to by its state update. What is proven of the block is proven of the state. */
export function stateAfterBlock({ cells, cell }: CellRef): ProvenState {
  const { info, stateUpdate } = readBlockRoot(cells, cell);
  const { workchain, shard, seqno } = readBlockInfo(cells, info);
  return { workchain, shard, seqno, hash: Buffer.from(readStateUpdate(cells, stateUpdate).newHash) };
}

/** Accounts of a state in one file, which is proven. */
export interface AccountsFile {
  readonly path: string;
  readonly size: number;
  /** In ascending order of their ids, after an id if one is given. Each is valid until the next one is read. */
  accounts(after?: Buffer): Generator<FileAccount, void>;
}

/** The state of a shard in files. */
export interface OpenShardState {
  readonly hash: Buffer;
  readonly state: ShardState;
  /** Bytes of all files. */
  readonly size: number;
  /** The files with accounts, in ascending order of these. Each is opened and proven when it is its turn, and closed then. */
  files(after?: Buffer): AsyncGenerator<AccountsFile, void>;
  close(): void;
}

/**
 * Opens the state of a shard and compares it with a proven one; throws StateFileError if a file is missing, malformed or
 * of another state. The parts of a split state are compared with its header.
 */
export async function openShardState(
  files: ShardStateFiles,
  proven: ProvenState,
  options: OpenStateFileOptions,
): Promise<OpenShardState> {
  const { path, parts } = files;
  if (path === undefined)
    throw new StateFileError(parts![0]!.path, 'the header of this split state (statesplit_…) is missing');
  const file = await openStateFile(path, options);
  try {
    return parts === undefined ? openWhole(file, proven) : openSplit(file, parts, proven, options);
  } catch (error) {
    file.close();
    throw error;
  }
}

function openWhole(file: StateFile, proven: ProvenState): OpenShardState {
  const { hash, state } = readState(file, false, proven);
  return {
    hash,
    state,
    size: file.size,
    async *files() {
      yield {
        path: file.path,
        size: file.size,
        accounts: (after) => file.accounts((root) => readShardState(file.cells, root).accounts, after),
      };
    },
    close: file.close,
  };
}

interface PartFile {
  readonly part: bigint;
  readonly path: string;
}

function openSplit(
  header: StateFile,
  parts: readonly PartFile[],
  proven: ProvenState,
  options: OpenStateFileOptions,
): OpenShardState {
  const { hash, state } = readState(header, true, proven);
  const expected = expectedParts(header, state.shard, parts);
  header.close();
  return {
    hash,
    state,
    size: header.size,
    async *files(after) {
      for (const { part, path, hash: partHash } of expected) {
        if (after !== undefined && isBefore(part, after)) continue;
        const file = await openStateFile(path, options);
        try {
          if (!file.hash.equals(partHash))
            throw file.fault(
              `its root has the hash ${file.hash.toString('hex')}, but ${partHash.toString('hex')} by the header of the state`,
            );
          yield { path, size: file.size, accounts: (from) => file.accounts((root) => root, from) };
        } finally {
          file.close();
        }
      }
    },
    close() {},
  };
}

/** Reads what a state is and compares it with the proven one. */
function readState(file: StateFile, isHeader: boolean, proven: ProvenState) {
  const { cells } = file;
  const found = file.read((root) => {
    const top = isHeader ? stateOfProof(file, root) : root;
    return { hash: cells.hash(top, 0), state: readShardState(cells, top) };
  });
  const { workchain, shard, seqno } = found.state;
  if (workchain !== proven.workchain || shard !== proven.shard || seqno !== proven.seqno)
    throw file.fault(
      `holds the state ${seqno} of the shard ${workchain},${shardText(shard)}, not ${proven.seqno} of ` +
        `${proven.workchain},${shardText(proven.shard)}`,
    );
  if (!found.hash.equals(proven.hash))
    throw file.fault(
      `holds a state with the hash ${found.hash.toString('hex')}, but its block leads to ${proven.hash.toString('hex')}`,
    );
  return found;
}

/** The cell of a state in the header of a split one. That the proof fits was checked when it was hashed. */
function stateOfProof({ cells }: StateFile, root: number): number {
  if (cells.kind(root) !== MERKLE_PROOF) throw new CellError('the root is not a Merkle proof');
  return cells.ref(root, 0);
}

interface ExpectedPart extends PartFile {
  readonly hash: Buffer;
}

/** The parts that a state has by its header, with their files; throws if files are missing or do not belong to it. */
function expectedParts(header: StateFile, shard: bigint, parts: readonly PartFile[]): ExpectedPart[] {
  const bits = prefixBits(shard, parts);
  return shardsOfDepth(shard, bits).flatMap((part) => {
    const file = parts.find((one) => one.part === part);
    const hash = header.read((root) => {
      const { accounts } = readShardState(header.cells, stateOfProof(header, root));
      return hashOfStatePart(header.cells, accounts, part);
    });
    if (hash === undefined && file === undefined) return [];
    if (hash === undefined)
      throw new StateFileError(file!.path, 'the header of the state has no accounts with this prefix');
    if (file === undefined)
      throw header.fault(`the file of the accounts with the prefix ${shardText(part)} is missing`);
    return [{ part, path: file.path, hash }];
  });
}

/** The length of the prefixes of parts. */
function prefixBits(shard: bigint, parts: readonly PartFile[]): number {
  const shardBits = shardPrefixBits(shard);
  let bits: number | undefined;
  for (const { part, path } of parts) {
    const isShard =
      part !== 0n && lowestBit(part) >= 1n << BigInt(63 - MAX_SPLIT_BITS) && shardContains(shard, part);
    const own = isShard ? shardPrefixBits(part) : -1;
    if (own <= shardBits || (bits !== undefined && own !== bits))
      throw new StateFileError(path, 'the prefix in its name is not that of a part of this state');
    bits = own;
  }
  // Without accounts there are no parts, whatever their prefixes would be; otherwise the missing ones are found.
  return bits ?? Math.min(shardBits + 1, MAX_SPLIT_BITS);
}

/** More parts than any network has. */
const MAX_SPLIT_BITS = 16;

/** Whether all accounts with a prefix are before an id. */
function isBefore(part: bigint, id: Buffer): boolean {
  return BigInt.asUintN(64, part) + lowestBit(part) <= id.readBigUInt64BE(0);
}
